import { expect, it } from 'vitest'
import { withoutPersonalData } from './log.ts'

it('personal data is not written out', () => {
  expect(withoutPersonalData({ callId: 'c', calleePii: '+12125550100' })).toEqual({ callId: 'c', calleePii: '[redacted]' })
})
