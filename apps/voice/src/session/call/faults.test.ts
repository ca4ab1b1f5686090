import { expect, it, vi } from 'vitest'
import { stageCall } from '../testing/staged-call.ts'

it('a line that fails while the agent speaks ends its call, and nothing is thrown into the beat of the others', async () => {
  const call = stageCall()
  await call.answer()
  await call.clock.advance(1000)
  call.far.broken = true
  await call.over()
  expect(call.ended()).toMatchObject({ reason: 'interrupted' })
})

it('a leg that cannot be hung up is over after a while all the same', async () => {
  const call = stageCall()
  await call.opened()
  call.far.broken = true
  call.session.stop('stopped')
  await call.over()
  expect(call.ended()).toMatchObject({ reason: 'stopped' })
})

it('a recording that cannot be kept keeps nobody from stopping', async () => {
  const call = stageCall({ order: { record: true } })
  await call.opened()
  vi.spyOn(call.tape, 'keep').mockRejectedValue(new Error('The disk is gone.'))
  call.session.stop('stopped')
  await call.over()
  await expect(call.session.reported).resolves.toBeUndefined()
})
