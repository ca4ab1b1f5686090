import { expect, it } from 'vitest'
import { createLog } from './log.ts'

const PHONE = '+12125550100'

function linesOf(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('info', { destination: { write: (line) => void lines.push(line) } }))
  return lines.join('')
}

it('redacts values under keys that end in Pii', () => {
  const line = linesOf((log) => log.info({ callId: 'c', calleePii: PHONE }, 'order'))
  expect(JSON.parse(line)).toMatchObject({ callId: 'c', calleePii: '[redacted]', msg: 'order' })
})

it('logs message, stack and code of an error and its causes, without their other properties', () => {
  const cause = Object.assign(new Error('It was refused.'), { code: 'ECONNREFUSED', request: { to: PHONE } })
  const fault = Object.assign(new Error('It broke.', { cause }), { params: [PHONE] })
  const unread = (() => {
    try {
      return JSON.parse(`Hello ${PHONE}`) as unknown
    } catch (error) {
      return error
    }
  })()
  const lines = linesOf((log) => {
    log.error({ err: fault }, 'session fault')
    log.error({ err: unread }, 'session fault')
  })
  expect(lines).not.toContain(PHONE)
  expect(JSON.parse(lines.split('\n')[0]!)).toMatchObject({
    err: {
      message: 'It broke.',
      stack: expect.stringContaining('log.test.ts:'),
      cause: { code: 'ECONNREFUSED', message: 'It was refused.' },
    },
  })
})
