import { type RegisteredRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A duplicate history entry, so that the first step back has a target. */
    spare?: true
  }
}

/** Open overlays, topmost last. */
const opened: symbol[] = []

/** The back button closes the topmost overlay, as phone users expect, and only then leaves the screen. */
export function useBackCloses(open: boolean, close: () => void): void {
  const router = useRouter()
  const onBack = useEffectEvent(close)
  useEffect(() => {
    if (!open) return undefined
    const self = Symbol('over')
    opened.push(self)
    laySpare(router)
    const release = router.history.block({
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
  }, [router, open])
}

let unwatch = (): void => undefined

/** Without an earlier entry of this page, back would leave the page without asking. */
function laySpare(router: RegisteredRouter): void {
  const { history } = router
  if (history.location.state.__TSR_index !== 0) return
  void router.navigate({
    to: '.',
    search: true,
    hash: true,
    state: { spare: true },
    resetScroll: false,
    ignoreBlocker: true,
  })
  // Without an open overlay, skip the duplicate entry.
  unwatch()
  unwatch = history.subscribe(({ location, action }) => {
    if (action.type !== 'BACK' || location.state.__TSR_index !== 0) return
    unwatch()
    history.back()
  })
}
