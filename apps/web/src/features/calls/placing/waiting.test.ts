import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dismissToast, shownToast, toast } from '../../../ui/toast/toast.ts'
import { aCall } from '../testing.ts'
import { newCallOf } from './callForm.ts'
import { createWaitingOrders } from './waiting.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const first = newCallOf(aCall())
const second = newCallOf(aCall({ callee: '+12025550103' }))

function waiting() {
  const orders = createWaitingOrders()
  const placed = vi.fn<(given: unknown) => void>()
  const undone = vi.fn<() => void>()
  orders.onOver(placed)
  orders.onUndone(undone)
  return { orders, placed, undone }
}

describe('delayed call', () => {
  it('is placed once, after a countdown of 5 s', () => {
    const { orders, placed } = waiting()
    orders.add(first)
    const seen: number[] = []
    orders.watch(() => orders.now().orders.length > 0 && seen.push(orders.now().seconds))
    vi.advanceTimersByTime(4999)
    expect(placed).not.toHaveBeenCalled()
    expect(seen).toEqual([4, 3, 2, 1])
    vi.advanceTimersByTime(60_000)
    expect(placed.mock.calls).toEqual([[[first]]])
    expect(orders.now().orders).toEqual([])
  })

  it('is not placed after undo', () => {
    const { orders, placed, undone } = waiting()
    orders.add(first)
    vi.advanceTimersByTime(4900)
    orders.undo()
    orders.undo()
    vi.advanceTimersByTime(60_000)
    expect(placed).not.toHaveBeenCalled()
    expect(undone).toHaveBeenCalledOnce()
  })

  it('is placed once at once when hurried', () => {
    const { orders, placed } = waiting()
    orders.add(first)
    orders.hurry()
    orders.hurry()
    vi.advanceTimersByTime(60_000)
    expect(placed.mock.calls).toEqual([[[first]]])
  })

  it('is grouped with a later one: both are placed together', () => {
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

  it('pauses its countdown while held', () => {
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

  it('is undone when the page slept through the countdown', () => {
    const { orders, placed, undone } = waiting()
    orders.add(first)
    vi.setSystemTime(Date.now() + 3_600_000)
    vi.advanceTimersByTime(60_000)
    expect(placed).not.toHaveBeenCalled()
    expect(undone).toHaveBeenCalledOnce()
  })
})

it('a toast that stays is not replaced until dismissed', () => {
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
