import { expect, it, vi } from 'vitest'
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
