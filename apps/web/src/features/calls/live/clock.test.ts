import { describe, expect, it } from 'vitest'
import { aCall, aTurn } from '../testing.ts'
import { creditsSoFar, elapsedSeconds, limitSeconds } from './clock.ts'

const answeredAt = Date.parse('2026-11-21T09:00:00.000Z')
const connected = { status: 'in_progress', connectedAt: '2026-11-21T09:00:00.000Z' } as const

describe('live call clock', () => {
  it('shows 0 until the call is answered', () => {
    expect(elapsedSeconds(aCall({ status: 'ringing' }), answeredAt + 60_000)).toBe(0)
    expect(creditsSoFar(aCall({ status: 'ringing' }), answeredAt + 60_000)).toBe(0)
  })

  it('counts call time, scaled by the clock speed', () => {
    expect(elapsedSeconds(aCall(connected), answeredAt + 134_000)).toBe(134)
    expect(elapsedSeconds(aCall({ ...connected, clockSpeed: 20 }), answeredAt + 5000)).toBe(100)
  })

  it('is never behind the last turn heard', () => {
    const call = aCall({ ...connected, turns: [aTurn(0, 'Hello?', 42_000)] })
    expect(elapsedSeconds(call, answeredAt - 30_000)).toBe(42)
  })

  it('stops at the limit, which held credits may shorten', () => {
    expect(elapsedSeconds(aCall(connected), answeredAt + 3_600_000)).toBe(300)
    expect(limitSeconds(aCall({ maxDurationMinutes: 10, creditsHeld: 3 }))).toBe(180)
    expect(limitSeconds(aCall({ maxDurationMinutes: 10, creditsHeld: 0 }))).toBe(600)
  })

  // screens.md: counts-credit-each-minute
  it('counts one credit per started minute, and the charged credits after the end', () => {
    expect(creditsSoFar(aCall(connected), answeredAt + 60_000)).toBe(1)
    expect(creditsSoFar(aCall(connected), answeredAt + 61_000)).toBe(2)
    const over = aCall({
      status: 'completed',
      connectedAt: connected.connectedAt,
      durationSeconds: 64,
      creditsCharged: 2,
    })
    expect(elapsedSeconds(over, answeredAt + 900_000)).toBe(64)
    expect(creditsSoFar(over, answeredAt + 900_000)).toBe(2)
  })
})
