import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dismissToast, shownToast, toast } from '../../../ui/toast/toast.ts'
import { aCall } from '../testing.ts'
import { newCallOf } from './callForm.ts'
import { createWaitingCalls } from './waiting.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const first = newCallOf(aCall())
const second = newCallOf(aCall({ callee: '+12025550103' }))

function waiting() {
  const calls = createWaitingCalls()
  const placed = vi.fn<(given: unknown) => void>()
  const undone = vi.fn<() => void>()
  calls.onOver(placed)
  calls.onUndone(undone)
  return { calls, placed, undone }
}

describe('delayed call', () => {
  it('is placed once, after a countdown of 5 s', () => {
    const { calls, placed } = waiting()
    calls.add(first)
    const seen: number[] = []
    calls.state.subscribe((now) => now.calls.length > 0 && seen.push(now.seconds))
    vi.advanceTimersByTime(4999)
    expect(placed).not.toHaveBeenCalled()
    expect(seen).toEqual([4, 3, 2, 1])
    vi.advanceTimersByTime(60_000)
    expect(placed.mock.calls).toEqual([[[first]]])
    expect(calls.state.getState().calls).toEqual([])
  })

  it('is not placed after undo', () => {
    const { calls, placed, undone } = waiting()
    calls.add(first)
    vi.advanceTimersByTime(4900)
    calls.undo()
    calls.undo()
    vi.advanceTimersByTime(60_000)
    expect(placed).not.toHaveBeenCalled()
    expect(undone).toHaveBeenCalledOnce()
  })

  it('is placed once at once when hurried', () => {
    const { calls, placed } = waiting()
    calls.add(first)
    calls.placeNow()
    calls.placeNow()
    vi.advanceTimersByTime(60_000)
    expect(placed.mock.calls).toEqual([[[first]]])
  })

  it('is grouped with a later one: both are placed together', () => {
    const { calls, placed } = waiting()
    calls.add(first)
    vi.advanceTimersByTime(3000)
    calls.add(second)
    // A double press.
    calls.add({ ...second })
    vi.advanceTimersByTime(4999)
    expect(placed).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(placed.mock.calls).toEqual([[[first, second]]])
  })

  it('pauses its countdown while held', () => {
    const { calls, placed } = waiting()
    calls.add(first)
    vi.advanceTimersByTime(2000)
    calls.hold(true)
    vi.advanceTimersByTime(120_000)
    expect(placed).not.toHaveBeenCalled()
    calls.hold(false)
    vi.advanceTimersByTime(3000)
    expect(placed).toHaveBeenCalledOnce()
  })

  it('is undone when the page slept through the countdown', () => {
    const { calls, placed, undone } = waiting()
    calls.add(first)
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
