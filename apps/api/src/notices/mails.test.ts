import { accountsRoutes, batchesRoutes, callsRoutes, type Outcome } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { playCallees } from '../batches/testing.ts'
import { Script, type StandInVoice, startStandInVoice } from '../calls/testing.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { createOutgoing } from './outgoing.ts'
import { mailCallEnded } from './call-mail.ts'

type OutcomeStatus = Outcome['status']

let app: TestApp
let voice: StandInVoice

beforeAll(async () => {
  voice = await startStandInVoice(100)
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

const CALLEE = '+12025550100'

async function place(client: Client, purpose = 'Ask for a table'): Promise<{ id: string; script: Script }> {
  const { data } = await client.request(callsRoutes.place, {
    body: { callee: CALLEE, purpose, objectives: ['Ask'], maxDurationMinutes: 1 },
  })
  await voice.orderOf(data.id)
  return { id: data.id, script: new Script(app, data.id) }
}

async function mailsTo(email: string) {
  const { mailer } = app.context
  return (mailer.kind === 'outbox' ? await mailer.list() : []).filter(({ to }) => to === email)
}

const outcomesOf = (statuses: readonly OutcomeStatus[]): Outcome[] =>
  statuses.map((status, index) => ({
    objective: `Objective ${index + 1}`,
    status,
    quote: status === 'open' ? null : 'Only 8:30.',
    turn: null,
    offer: status === 'offered' ? '8:30 pm' : null,
  }))

const noticing = () => ({ ...app.context, outgoing: createOutgoing({ loopback: true }) })

describe('the mail about an ended call', () => {
  test('has outcomes, summary, cost and link, and is sent once', async () => {
    const { client, user } = await app.signUp()
    const { id, script } = await place(client)
    await script.converse()
    await script.end(61)
    await script.wrapUp('The table is free.')
    const mail = await app.mailTo(user.email, 'Your call to +1 202 555 0100: 1 of 1 objective met')
    for (const words of [
      'Your call to +1 202 555 0100 is over: Ask for a table',
      'Ask: met. They said: “Hello.”',
      'The table is free.',
      'What to do next: Be there in time',
      'It took 1m 1s and used 1 credit.',
      `http://localhost:3000/dashboard?call=${id}`,
      'http://localhost:3000/settings',
    ])
      expect(mail.text).toContain(words)
    // The job without a summary finds that the mail was sent.
    await mailCallEnded(noticing(), { callId: id, withoutSummary: true })
    expect(await mailsTo(user.email)).toHaveLength(1)
  })

  test('is sent without a summary after 40 s', async () => {
    const { client, user } = await app.signUp()
    const { id, script } = await place(client)
    await script.converse()
    await script.end(20)
    const { rows } = await app.context.database.pool.query<{ wait: string }>(
      `select extract(epoch from start_after - created_on) as wait from jobs.job where name = 'notices.call-mail' and data ->> 'callId' = $1`,
      [id],
    )
    expect(rows.map(({ wait }) => Math.round(Number(wait)))).toEqual([40])
    await mailCallEnded(noticing(), { callId: id, withoutSummary: true })
    expect((await app.mailTo(user.email, 'Your call to +1 202 555 0100: it is over')).text).toContain('used 1 credit.')
  })

  test('is sent at once for a failed call, and not for a canceled one or with notifications off', async () => {
    const { client, user } = await app.signUp()
    const params = { id: user.id }
    const canceled = await place(client, 'Given up')
    await canceled.script.say({ type: 'dialing' })
    await canceled.script.end(0, 'stopped')
    await client.request(accountsRoutes.changeSettings, { params, body: { emailNotifications: false } })
    const quiet = await place(client, 'Quiet')
    await quiet.script.say({ type: 'dialing' })
    await quiet.script.end(0, 'busy')
    // A job that has run is deleted.
    const left = `select id from jobs.job where name = 'notices.call-mail' and data ->> 'callId' = $1`
    await vi.waitFor(
      async () => expect((await app.context.database.pool.query(left, [quiet.id])).rows).toEqual([]),
      15_000,
    )
    await client.request(accountsRoutes.changeSettings, { params, body: { emailNotifications: true } })
    const busy = await place(client, 'Busy')
    await busy.script.say({ type: 'dialing' })
    await busy.script.end(0, 'busy')
    const mail = await app.mailTo(user.email, 'it did not go through')
    expect(mail.text).toContain('is over: Busy\n\nThe call is over.')
    expect(mail.text).toContain('used 0 credits.')
    expect(await mailsTo(user.email)).toHaveLength(1)
  })

  test.each<[string, OutcomeStatus[], string]>([
    ['an offer alone', ['offered'], '1 offer to decide'],
    ['two offers and a refusal', ['offered', 'refused', 'offered'], '2 offers to decide'],
    ['an agreement and an offer', ['met', 'offered'], '1 of 2 objectives met, 1 offer to decide'],
    ['an agreement within the limits', ['met_within_limits', 'open'], '1 of 2 objectives met'],
    ['a refusal', ['refused'], '0 of 1 objective met'],
  ])('has outcomes and open offers of %s in its subject', async (_, statuses, words) => {
    const { client, user } = await app.signUp()
    const { script } = await place(client)
    await script.converse()
    await script.end(20)
    await script.wrapUp('This came of it.', outcomesOf(statuses))
    expect((await app.mailTo(user.email, 'This came of it.')).subject).toBe(`Your call to +1 202 555 0100: ${words}`)
  })

  test('has what was agreed or offered in figures, beside its words', async () => {
    const { client, user } = await app.signUp()
    const { script } = await place(client)
    await script.converse()
    await script.end(20)
    const at = { type: 'date_time' as const, at: '2026-11-27T20:30', timezone: 'America/New_York' }
    const found = outcomesOf(['offered', 'met'])
    await script.wrapUp('In figures.', [
      { ...found[0]!, value: at },
      { ...found[1]!, value: { type: 'reference', reference: 'AB12' } },
    ])
    const { text } = await app.mailTo(user.email, 'In figures.')
    expect(text).toContain('offered, not agreed (8:30 pm; Friday, November 27, 2026 at 8:30 PM, New York time).')
    expect(text).toContain('Objective 2: met (reference: AB12).')
  })

  const OFFERED = 'Objective 1: offered, not agreed (8:30 pm). They said: “Only 8:30.”'
  test.each<[string, OutcomeStatus[], string, string]>([
    ['with an offer', ['offered', 'open'], 'it was cut off, 1 offer to decide', OFFERED],
    [
      'with something agreed',
      ['met', 'open'],
      'it was cut off, 1 of 2 objectives met',
      'Objective 1: met. They said: “Only 8:30.”',
    ],
    ['with nothing', ['open'], 'it was cut off', 'Objective 1: open.'],
  ])('is sent once with the outcomes of a call dropped %s', async (_, statuses, words, sentence) => {
    const { client, user } = await app.signUp()
    const { id, script } = await place(client)
    await script.converse()
    await script.end(20, 'carrier_dropped')
    await script.wrapUp('It broke off.', outcomesOf(statuses))
    const mail = await app.mailTo(user.email, 'It broke off.')
    expect(mail.subject).toBe(`Your call to +1 202 555 0100: ${words}`)
    expect(mail.text).toContain('The call is over.')
    expect(mail.text).toContain(sentence)
    await mailCallEnded(noticing(), { callId: id, withoutSummary: true })
    expect(await mailsTo(user.email)).toHaveLength(1)
  })

  test('a batch sends one mail and none per call', async () => {
    const { client, user } = await app.signUp()
    const enqueue = vi.spyOn(app.context.jobs, 'enqueue')
    const stop = playCallees(voice, app, () => ({ answers: false }))
    const calls = [{ callee: '+12125551000', purpose: 'Ask', maxDurationMinutes: 1 }]
    await client.request(batchesRoutes.create, { body: { name: 'Spring', calls } })
    await app.mailTo(user.email, 'Spring is done')
    await stop()
    expect(await mailsTo(user.email)).toHaveLength(1)
    const orders = enqueue.mock.calls.map(([, { name }]) => name)
    expect(orders.filter((name) => name === 'notices.mail' || name === 'notices.call-mail')).toEqual(['notices.mail'])
  })
})
