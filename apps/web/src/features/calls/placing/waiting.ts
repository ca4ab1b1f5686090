import { TOASTS } from '@parley/contract'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Order } from './order.ts'

const SECOND_MS = 1000
const SECONDS = TOASTS.durationMs / SECOND_MS
/** A page that slept longer than this past the end of the count says nothing: nobody expects the call any more. */
const LATE_MS = 60_000

interface Waiting {
  readonly orders: readonly Order[]
  /** Until they are placed. */
  readonly seconds: number
}

export interface WaitingOrders {
  /** Waits with this order; those that wait already begin to count anew with it. The same order waits once. */
  readonly add: (order: Order) => void
  /** Forgets all that wait. Nothing has left this page. */
  readonly undo: () => void
  /** Places all that wait without waiting longer. */
  readonly hurry: () => void
  /** The count stands still while somebody reads it or is on the way to Undo. */
  readonly hold: (isHeld: boolean) => void
  readonly onOver: (place: (orders: readonly Order[]) => void) => () => void
  /** Told after each undoing. */
  readonly onUndone: (tell: () => void) => () => void
  readonly state: Pick<StoreApi<Waiting>, 'getState' | 'getInitialState' | 'subscribe'>
}

const NONE: Waiting = { orders: [], seconds: SECONDS }

/** Orders that were given with one press, for as long as they can be taken back: they live in this page only. */
export function createWaitingOrders(): WaitingOrders {
  const state = createStore<Waiting>()(() => NONE)
  const placers = new Set<(orders: readonly Order[]) => void>()
  const tellers = new Set<() => void>()
  const now = state.getState
  let isHeld = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const change = (next: Waiting) => {
    clearTimeout(timer)
    // Nothing is over before somebody is there to place it.
    if (next.orders.length > 0 && !isHeld && placers.size > 0) tickFrom(Date.now())
    state.setState(next)
  }
  const tickFrom = (since: number) => {
    timer = setTimeout(() => {
      if (Date.now() - since > LATE_MS) undo()
      else if (now().seconds > 1) change({ ...now(), seconds: now().seconds - 1 })
      else hurry()
    }, SECOND_MS)
  }
  const empty = () => {
    const { orders } = now()
    isHeld = false
    change(NONE)
    return orders
  }
  const undo = () => {
    if (empty().length > 0) for (const tell of tellers) tell()
  }
  const hurry = () => {
    const orders = empty()
    if (orders.length > 0) for (const place of placers) place(orders)
  }
  return {
    add(order) {
      const { orders } = now()
      if (!isAmong(orders, order)) change({ orders: [...orders, order], seconds: SECONDS })
    },
    undo,
    hurry,
    hold(held) {
      isHeld = held && now().orders.length > 0
      change({ ...now() })
    },
    onOver(place) {
      const stop = listen(placers, place)
      change({ ...now() })
      return stop
    },
    onUndone: (tell) => listen(tellers, tell),
    state,
  }
}

export function isAmong(orders: readonly Order[], order: Order): boolean {
  const text = JSON.stringify(order)
  return orders.some((each) => JSON.stringify(each) === text)
}

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Those of this page. */
export const waitingOrders = createWaitingOrders()

export function useWaiting(): Waiting {
  return useStore(waitingOrders.state)
}
