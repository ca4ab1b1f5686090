import { type RegisteredRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The screen a second time, laid on the way so that the first step back has somewhere to go. */
    spare?: true
  }
}

/** What lies over the screen, the topmost last. */
const opened: symbol[] = []

/**
 * A step back in the browser closes what lies on top, where a phone's people expect it to, and leaves the screen under
 * it.
 */
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

/** Where nothing of this page lies behind, a step back would leave the page, and ask nobody. */
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
  // With nothing lying over the screen, the step from the second time to the first is none that anybody meant.
  unwatch()
  unwatch = history.subscribe(({ location, action }) => {
    if (action.type !== 'BACK' || location.state.__TSR_index !== 0) return
    unwatch()
    history.back()
  })
}
