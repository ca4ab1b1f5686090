import { TOASTS } from '@parley/contract'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { NewCall } from './callForm.ts'

const SECOND_MS = 1000
const SECONDS = TOASTS.durationMs / SECOND_MS
/** A page that slept longer than this past the end of the count says nothing: nobody expects the call any more. */
const LATE_MS = 60_000

interface Waiting {
  readonly calls: readonly NewCall[]
  /** Until they are placed. */
  readonly seconds: number
}

export interface WaitingCallList {
  /** Waits with this call; those that wait already begin to count anew with it. The same call waits once. */
  readonly add: (call: NewCall) => void
  /** Forgets all that wait. Nothing has left this page. */
  readonly undo: () => void
  /** Places all that wait without waiting longer. */
  readonly placeNow: () => void
  /** The count stands still while somebody reads it or is on the way to Undo. */
  readonly hold: (isHeld: boolean) => void
  readonly onOver: (place: (calls: readonly NewCall[]) => void) => () => void
  /** Told after each undoing. */
  readonly onUndone: (tell: () => void) => () => void
  readonly state: Pick<StoreApi<Waiting>, 'getState' | 'getInitialState' | 'subscribe'>
}

const NONE: Waiting = { calls: [], seconds: SECONDS }

/** Calls that were ordered with one press, for as long as they can be taken back: they live in this page only. */
export function createWaitingCalls(): WaitingCallList {
  const state = createStore<Waiting>()(() => NONE)
  const placeListeners = new Set<(calls: readonly NewCall[]) => void>()
  const undoListeners = new Set<() => void>()
  const now = state.getState
  let isHeld = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const change = (next: Waiting) => {
    clearTimeout(timer)
    // Nothing is over before somebody is there to place it.
    if (next.calls.length > 0 && !isHeld && placeListeners.size > 0) tickFrom(Date.now())
    state.setState(next)
  }
  const tickFrom = (since: number) => {
    timer = setTimeout(() => {
      if (Date.now() - since > LATE_MS) undo()
      else if (now().seconds > 1) change({ ...now(), seconds: now().seconds - 1 })
      else placeNow()
    }, SECOND_MS)
  }
  const empty = () => {
    const { calls } = now()
    isHeld = false
    change(NONE)
    return calls
  }
  const undo = () => {
    if (empty().length > 0) for (const tell of undoListeners) tell()
  }
  const placeNow = () => {
    const calls = empty()
    if (calls.length > 0) for (const place of placeListeners) place(calls)
  }
  return {
    add(call) {
      const { calls } = now()
      if (!isAmong(calls, call)) change({ calls: [...calls, call], seconds: SECONDS })
    },
    undo,
    placeNow,
    hold(held) {
      isHeld = held && now().calls.length > 0
      change({ ...now() })
    },
    onOver(place) {
      const stop = listen(placeListeners, place)
      change({ ...now() })
      return stop
    },
    onUndone: (tell) => listen(undoListeners, tell),
    state,
  }
}

export function isAmong(calls: readonly NewCall[], call: NewCall): boolean {
  const text = JSON.stringify(call)
  return calls.some((each) => JSON.stringify(each) === text)
}

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Those of this page. */
export const waitingCalls = createWaitingCalls()

export function useWaiting(): Waiting {
  return useStore(waitingCalls.state)
}
