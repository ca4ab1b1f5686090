import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dismissToast, shownToast, toast } from '../../../ui/toast.ts'
import { aCall } from '../testing.ts'
import { orderOf } from './order.ts'
import { createWaitingOrders } from './waiting.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const first = orderOf(aCall())
const second = orderOf(aCall({ callee: '+12025550103' }))

function waiting() {
  const orders = createWaitingOrders()
  const placed = vi.fn<(given: unknown) => void>()
  const undone = vi.fn<() => void>()
  orders.onOver(placed)
  orders.onUndone(undone)
  return { orders, placed, undone }
}

describe('an order that can be taken back', () => {
  it('is placed once, after five seconds that are counted down', () => {
    const { orders, placed } = waiting()
    orders.add(first)
    const seen: number[] = []
    orders.state.subscribe((now) => now.orders.length > 0 && seen.push(now.seconds))
    vi.advanceTimersByTime(4999)
    expect(placed).not.toHaveBeenCalled()
    expect(seen).toEqual([4, 3, 2, 1])
    vi.advanceTimersByTime(60_000)
    expect(placed.mock.calls).toEqual([[[first]]])
    expect(orders.state.getState().orders).toEqual([])
  })

  it('is never placed once it was undone', () => {
    const { orders, placed, undone } = waiting()
    orders.add(first)
    vi.advanceTimersByTime(4900)
    orders.undo()
    orders.undo()
    vi.advanceTimersByTime(60_000)
    expect(placed).not.toHaveBeenCalled()
    expect(undone).toHaveBeenCalledOnce()
  })

  it('is placed at once when hurried, and only once', () => {
    const { orders, placed } = waiting()
    orders.add(first)
    orders.hurry()
    orders.hurry()
    vi.advanceTimersByTime(60_000)
    expect(placed.mock.calls).toEqual([[[first]]])
  })

  it('waits with another that came later, and both are placed or undone together', () => {
    const { orders, placed } = waiting()
    orders.add(first)
    vi.advanceTimersByTime(3000)
    orders.add(second)
    // A double press.
    orders.add({ ...second })
    vi.advanceTimersByTime(4999)
    expect(placed).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(placed.mock.calls).toEqual([[[first, second]]])
  })

  it('stands still while it is held', () => {
    const { orders, placed } = waiting()
    orders.add(first)
    vi.advanceTimersByTime(2000)
    orders.hold(true)
    vi.advanceTimersByTime(120_000)
    expect(placed).not.toHaveBeenCalled()
    orders.hold(false)
    vi.advanceTimersByTime(3000)
    expect(placed).toHaveBeenCalledOnce()
  })

  it('is undone where the page slept through its time', () => {
    const { orders, placed, undone } = waiting()
    orders.add(first)
    vi.setSystemTime(Date.now() + 3_600_000)
    vi.advanceTimersByTime(60_000)
    expect(placed).not.toHaveBeenCalled()
    expect(undone).toHaveBeenCalledOnce()
  })
})

it('lets no other toast take the place of one that stays', () => {
  const stay = { onLinger: () => undefined, onClose: () => undefined }
  const id = toast({ title: 'Calling in 5 s', stay })
  toast({ title: 'Saved' })
  toast({ title: 'Saved again' })
  expect(shownToast()).toMatchObject({ title: 'Calling in 5 s' })
  dismissToast(id)
  expect(shownToast()).toMatchObject({ title: 'Saved again' })
  dismissToast(id)
  expect(shownToast()).toMatchObject({ title: 'Saved again' })
})
