import { PAUSED_BY } from '@parley/contract'
import { afterEach, expect, it } from 'vitest'
import { speak } from '../../lib/language.ts'
import { server } from '../../words/es/server.ts'
import { messageOf } from './status.ts'

afterEach(() => speak('en'))

const statusMessage = 'You paused this batch. Calls that run go on.'

it('in English shows the server’s status message', () => {
  expect(messageOf({ status: 'paused', pausedBy: 'person', statusMessage })).toBe(statusMessage)
  expect(messageOf({ status: 'running', pausedBy: null, statusMessage: null })).toBe(null)
})

it('in Spanish shows a translated message for each cause of a pause, for stopped and for waiting', async () => {
  await speak('es')
  for (const pausedBy of PAUSED_BY)
    expect(messageOf({ status: 'paused', pausedBy, statusMessage })).toBe(server.batchPaused[pausedBy])
  expect(messageOf({ status: 'stopped', pausedBy: null, statusMessage })).toBe('Detuviste este lote.')
  expect(messageOf({ status: 'running', pausedBy: null, statusMessage })).toBe(server.batchWaits)
  // A live message changes the status before the message is refetched.
  expect(messageOf({ status: 'running', pausedBy: 'credits', statusMessage })).toBe(server.batchWaits)
  expect(messageOf({ status: 'running', pausedBy: null, statusMessage: null })).toBe(null)
})
