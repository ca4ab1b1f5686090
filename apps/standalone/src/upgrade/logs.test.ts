import { expect, test } from 'vitest'
import { isUnexpected } from './logs.ts'

const line = (level: number, err: object) => JSON.stringify({ level, msg: 'request failed', err })

test.each([
  ['an error', line(50, { message: 'It broke' })],
  ['a warning of a statement that does not fit', line(40, { message: 'Failed query', cause: { code: '23514' } })],
  ['a sentence at the end of a process', 'The database was used by a newer Parley.'],
])('%s in a log is unexpected', (_, text) => expect(isUnexpected(text)).toBe(true))

test.each([
  ['a line of information', line(30, {})],
  ['a warning of a connection that ended', line(40, { message: 'read ECONNRESET', code: 'ECONNRESET' })],
  ['a connection that waited for too long', line(50, { message: 'timeout exceeded when trying to connect' })],
])('%s in a log is expected', (_, text) => expect(isUnexpected(text)).toBe(false))
