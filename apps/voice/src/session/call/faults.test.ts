import { expect, it, vi } from 'vitest'
import type { Ear } from '@parley/voice-ports'
import { textEar } from '../testing/fakes.ts'
import { stageCall } from '../testing/staged-call.ts'

it('ends the call as interrupted when its leg throws while the agent speaks', async () => {
  const call = stageCall()
  await call.answer()
  await call.clock.advance(1000)
  call.far.broken = true
  await call.over()
  expect(call.ended()).toMatchObject({ reason: 'interrupted' })
})

it('ends the call after a timeout when hanging up the leg fails', async () => {
  const call = stageCall()
  await call.opened()
  call.far.broken = true
  call.session.stop('stopped')
  await call.over()
  expect(call.ended()).toMatchObject({ reason: 'stopped' })
})

it('still reports the end of a call when its recording cannot be kept', async () => {
  const call = stageCall({ order: { record: true } })
  await call.opened()
  vi.spyOn(call.recording, 'keep').mockRejectedValue(new Error('The disk is gone.'))
  call.session.stop('stopped')
  await call.over()
  await expect(call.session.reported).resolves.toBeUndefined()
})

/** Fails as soon as it is opened, as often as told; then it hears. Notes when it was opened. */
function failingEar(failures: number): Ear & { readonly openedMs: number[] } {
  const openedMs: number[] = []
  return {
    ...textEar,
    openedMs,
    listen(options, clock, onEvent) {
      if (openedMs.push(clock.nowMs()) > failures) return textEar.listen(options, clock, onEvent)
      onEvent({ type: 'failed', message: 'The socket was closed.', retryable: true, retryAfterMs: null })
      return { ...textEar.listen(options, clock, () => undefined) }
    },
  }
}

const waitsOf = ({ openedMs }: { readonly openedMs: readonly number[] }) =>
  openedMs.slice(1).map((atMs, index) => Math.round((atMs - openedMs[index]!) / 100) * 100)

it('reopens a failed ear with growing waits and hears again', async () => {
  const ear = failingEar(4)
  const call = stageCall({ ears: [ear] })
  await call.opened()
  await call.far.say('We have a table at eight.')
  await call.clock.advance(5000)
  expect(waitsOf(ear)).toEqual([500, 1000, 2000, 4000])
  expect(call.turnTexts().some((text) => text.startsWith('user: We have a table'))).toBe(true)
})

it('says that it has a problem and hangs up after six failures of the ear in a row', async () => {
  const ear = failingEar(Infinity)
  const call = stageCall({ ears: [ear] })
  await call.opened()
  await call.over()
  expect(waitsOf(ear)).toEqual([500, 1000, 2000, 4000, 8000])
  expect(call.turnTexts().at(-1)).toContain('technical problem')
  expect(call.ended()).toMatchObject({ reason: 'interrupted' })
})
