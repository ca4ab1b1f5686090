import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

/** What lies over the screen, the topmost last. */
const opened: symbol[] = []

/** A step back in the browser closes what lies on top, where a phone's people expect it to, and leaves the screen under it. */
export function useBackCloses(open: boolean, close: () => void): void {
  const { history } = useRouter()
  const onBack = useEffectEvent(close)
  useEffect(() => {
    if (!open) return undefined
    const self = Symbol('over')
    opened.push(self)
    const release = history.block({
      enableBeforeUnload: false,
      blockerFn: ({ action }) => {
        const isMine = action === 'BACK' && opened.at(-1) === self
        if (isMine) onBack()
        return isMine
      },
    })
    return () => {
      release()
      opened.splice(opened.indexOf(self), 1)
    }
  }, [history, open])
}
