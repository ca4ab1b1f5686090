import { afterEach, describe, expect, test, vi } from 'vitest'
import { BackgroundChecks, type Check, type CheckedPart, runCheck } from './checks.ts'

afterEach(() => void vi.useRealTimers())

const check = (run: Check['run']): Check => ({ part: 'mail', mend: 'Correct SMTP_URL.', run })

describe('runCheck', () => {
  test.each<[string, Check['run'], object]>([
    ['what is right', async () => ({ ok: true, detail: 'It answers.' }), { ok: true, says: 'It answers.', mend: null }],
    [
      'what is wrong, and where to mend it',
      async () => ({ ok: false, problem: 'The password is wrong.', mend: 'Set another.' }),
      { ok: false, says: 'The password is wrong.', mend: 'Set another.' },
    ],
    [
      'a rejection with its cause',
      async () =>
        Promise.reject(new Error('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) })),
      { ok: false, says: 'fetch failed: ECONNREFUSED', mend: 'Correct SMTP_URL.' },
    ],
    [
      'an error without a message',
      async () => Promise.reject(Object.assign(new Error(''), { code: 'ENOTFOUND' })),
      { ok: false, says: 'ENOTFOUND' },
    ],
    ['an answer that is too long', async () => ({ ok: true, detail: 'a'.repeat(9000) }), { says: 'a'.repeat(1000) }],
  ])('tells %s', async (_, run, told) => {
    expect(await runCheck(check(run))).toMatchObject({ part: 'mail', ...told })
  })

  test('gives up a check that does not heed its signal', async () => {
    const hung = check(() => new Promise(() => undefined))
    expect(await runCheck(hung, 20)).toEqual({
      part: 'mail',
      ok: false,
      says: 'It did not answer within 0.02 s.',
      mend: 'Correct SMTP_URL.',
    })
  })
})

describe('BackgroundChecks', () => {
  test('looks every minute, every 15 s while something is broken, and tells what breaks and is mended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let isBroken = false
    let looks = 0
    const changed: [string, boolean][] = []
    const run: Check['run'] = async () => {
      looks++
      return isBroken ? { ok: false, problem: 'x', mend: 'y' } : { ok: true, detail: '' }
    }
    const checks = new BackgroundChecks([check(run)], ({ part, ok }) => void changed.push([part, ok]))
    expect(checks.results).toEqual([])
    checks.start()
    await vi.advanceTimersByTimeAsync(0)
    expect(checks.results).toMatchObject([{ ok: true }])
    isBroken = true
    await vi.advanceTimersByTimeAsync(59_999)
    expect(looks).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect([looks, changed]).toEqual([2, [['mail', false]]])
    await vi.advanceTimersByTimeAsync(15_000)
    isBroken = false
    await vi.advanceTimersByTimeAsync(15_000)
    expect([looks, changed]).toEqual([
      4,
      [
        ['mail', false],
        ['mail', true],
      ],
    ])
    checks.stop()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(looks).toBe(4)
  })

  test('looks once for all who ask at the same time', async () => {
    let looks = 0
    const checks = new BackgroundChecks([check(async () => ({ ok: true, detail: String(++looks) }))])
    const told: (readonly CheckedPart[])[] = await Promise.all([checks.look(), checks.look()])
    expect(told.map(([part]) => part?.says)).toEqual(['1', '1'])
    expect((await checks.look())[0]?.says).toBe('2')
  })
})
