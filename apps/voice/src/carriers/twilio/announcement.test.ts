import { recorder } from '@parley/sandbox/testing'
import { frameTicker, systemClock } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { Announcement } from '../../session/call/announcement.ts'
import { REFUSAL_MESSAGES } from '../../session/call/endings.ts'
import { factSink, quietLog, steadySpeech } from '../../session/testing/fakes.ts'
import { startLine } from './testing.ts'

const ORDER = {
  callId: 'verification-1',
  userId: 'user-1',
  callee: '+12125550107',
  code: '480915',
  language: 'en',
  answerTimeoutSeconds: 30,
  token: 'token',
}

/** Each sentence as long as two words, so that a call in real time is short. */
const quickMouth = {
  name: 'quick',
  wordTimes: false,
  open: () => ({
    async *speak() {
      yield { audio: steadySpeech('two words').audio }
    },
    setLanguage: () => undefined,
    close: () => undefined,
  }),
}

async function tell(line: Awaited<ReturnType<typeof startLine>>) {
  const clock = systemClock()
  const report = { ...factSink(), complete: () => undefined }
  const session = new Announcement(ORDER, {
    carrier: line.carrier,
    mouth: quickMouth,
    clock,
    ticker: frameTicker(clock),
    report,
    log: quietLog(),
  })
  await session.ended
  await line.close()
  return { facts: report.facts, end: report.facts.find((fact) => fact.type === 'ended') }
}

describe.concurrent('a call over Twilio that tells a code', () => {
  it('is heard, hangs up by itself, and reports no words', async () => {
    const heard = recorder()
    const line = await startLine({ far: { answering: () => ({ type: 'answers', afterMs: 50, party: () => heard }) } })
    const { facts, end } = await tell(line)
    expect(facts.map(({ type }) => type)).toEqual(['dialing', 'placed', 'ringing', 'answered', 'ended'])
    expect(end).toMatchObject({ reason: 'agent_closed', carrier: { name: 'twilio' } })
    // Four sentences of 600 ms.
    expect(heard.heard.length).toBeGreaterThanOrEqual(4 * 30)
    expect(line.far.calls.map(({ parameters }) => parameters.has('MachineDetection'))).toEqual([false])
  })

  it('that is refused ends in the sentence of its refusal', async () => {
    const line = await startLine()
    line.far.account.balance = 0
    const { end } = await tell(line)
    expect(end).toMatchObject({ reason: 'carrier_failure', message: REFUSAL_MESSAGES.funds, connectedSeconds: 0 })
  })
})
