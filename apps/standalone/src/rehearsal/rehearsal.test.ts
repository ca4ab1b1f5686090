import { setTimeout } from 'node:timers/promises'
import type { CallOrder } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { decodeWav, frameTicker, type Mouth, virtualClock, voiceOf } from '@parley/voice-ports'
import { createScriptedEar, createScriptedMouth, createSimulatedCarrier, SANDBOX } from '@parley/sandbox'
import { createContext, createLog, noJournal, readConfig, thinkingOf } from '@parley/voice/adapters'
import { ENDINGS, orderTo } from './orders.ts'
import { rehearse, type Rehearsal } from './rehearse.ts'
import { overlaps, Recorder, type Stretch } from './recorder.ts'
import { conclusionOf, lineOf } from './words.ts'

// Longer than 20 s: whole calls to every persona are computed, some of 30 minutes.

/** Real ms to make a sentence; at 50 times the speed 2 s of call time, unless the clock waits. */
const MAKING_MS = 40

/** A whole call on a virtual clock with the scripted mouth. */
async function listenTo(number: string, changes: Partial<CallOrder> = {}) {
  const clock = virtualClock()
  const mouth = createScriptedMouth()
  const carrier = createSimulatedCarrier({ speak: voiceOf(mouth), rng: () => 0.5 })
  const recorder = new Recorder(clock)
  const log = createLog('silent')
  // Behind the guard, as the service has it.
  const config = readConfig({ VOICE_SECRET: 'nobody listens in a rehearsal' })
  const { mind } = await thinkingOf({ config, log, clock })
  const own = { ears: [createScriptedEar()], mouth, mind, log }
  const lines: string[] = []
  const parts = { ...own, carrier: recorder.record(carrier), clock, ticker: frameTicker(clock) }
  const done = rehearse(parts, orderTo(number, { limitSeconds: 180, ...changes }), (fact) =>
    lines.push(lineOf(fact) ?? ''),
  )
  let rehearsal: Rehearsal | null = null
  void done.then((result) => (rehearsal = result))
  while (rehearsal === null) await clock.advance(1000)
  return { ...(await done), recorder, lines }
}

/** The same with a mouth that takes real time, on a clock faster than real time. */
async function listenAtSpeed(speed: number) {
  const made = createScriptedMouth()
  const mouth: Mouth = {
    ...made,
    name: 'slow',
    open(options) {
      const speaking = made.open(options)
      return {
        ...speaking,
        async *speak(text, { signal }) {
          await setTimeout(MAKING_MS)
          yield* speaking.speak(text, { signal })
        },
      }
    },
  }
  const config = readConfig({ VOICE_SECRET: 'nobody listens in a rehearsal', SANDBOX_SPEED: `${speed}` })
  const context = await createContext(config, { sandbox: SANDBOX, journal: noJournal, mouth, log: createLog('silent') })
  const recorder = new Recorder(context.clock)
  const rehearsal = await rehearse({ ...context, carrier: recorder.record(context.carrier) }, orderTo('0100'))
  return { ...rehearsal, recorder }
}

const lasting = ({ startMs, endMs }: Stretch) => endMs - startMs

describe('a rehearsal', () => {
  it('agent and callee overlap by 200 ms at most', async () => {
    const { recorder, ended } = await listenTo('0100')
    const { callee, agent } = recorder.speech
    expect(ended.reason).toBe('agent_closed')
    expect(callee.length).toBeGreaterThan(3)
    expect(
      overlaps(callee, agent)
        .map(lasting)
        .filter((ms) => ms > 200),
    ).toEqual([])
  })

  it('the agent stops within 700 ms when 0106 interrupts', async () => {
    const { recorder, turns } = await listenTo('0106')
    const both = overlaps(recorder.speech.callee, recorder.speech.agent)
    expect(turns.filter(({ speaker, heard }) => speaker === 'agent' && !heard)).toHaveLength(2)
    expect(Math.max(...both.map(lasting))).toBeGreaterThan(100)
    expect(Math.max(...both.map(lasting))).toBeLessThan(700)
  })

  it('the agent ignores the backchannels of 0114 and waits for answers', async () => {
    const { turns } = await listenTo('0114')
    expect(turns.filter(({ speaker, heard }) => speaker === 'agent' && !heard)).toEqual([])
    const answers = turns.filter(({ speaker, text }) => speaker === 'user' && !/^(?:Mhm|Right|Yes)\.$/.test(text))
    const asked = turns.filter(({ speaker, text }) => speaker === 'agent' && text.endsWith('?'))
    expect(answers.length).toBeGreaterThanOrEqual(asked.length)
  })

  it('ends with a goodbye of both sides', async () => {
    const { turns } = await listenTo('0100')
    expect(turns.slice(-2).map(({ speaker }) => speaker)).toEqual(['agent', 'user'])
    expect(turns.at(-1)?.text).toMatch(/goodbye/i)
  })

  it('is recorded in two channels at the times of its turns', async () => {
    const { recorder, turns, ended } = await listenTo('0100')
    const { channels } = decodeWav(recorder.wav())
    expect(channels).toHaveLength(2)
    expect((channels[0]?.length ?? 0) / 8000).toBeCloseTo(ended.connectedSeconds, 1)
    for (const { speaker, startMs } of turns) {
      const { callee, agent } = recorder.speech
      const nearest = Math.min(
        ...(speaker === 'agent' ? agent : callee).map((stretch) => Math.abs(stretch.startMs - startMs)),
      )
      expect(nearest).toBeLessThan(120)
    }
  })

  it('prints its turns with times, and the outcomes', async () => {
    const { lines, ...rehearsal } = await listenTo('0110')
    expect(
      lines.filter((line) => /^0:00\.0 - 0:0\d\.\d {2}Agent {3}Hello, this is an AI assistant/.test(line)),
    ).toHaveLength(1)
    expect(conclusionOf(rehearsal)).toMatch(
      /agent_closed[^]*offered {11}a table for four on Friday at half past seven \[a table.*8:30\][^]*Summary: /,
    )
  })

  it.each([
    ['A table at 7 pm', 'offered', /^a table at 8:30 pm$/],
    ['A table at 7 pm, or up to 8:30', 'met_within_limits', /^a table at 8:30 pm$/],
    ['A table at 7 pm. Do not accept another time.', 'offered', /^a table at 8:30 pm$/],
    ['A price of at most 120 dollars', 'offered', /133 dollars/],
    ['A price of at most 140 dollars', 'met_within_limits', /133 dollars/],
    ['A discount of 10 percent', 'offered', /5%/],
    ['A discount of 10 percent, or at least 5 percent', 'met_within_limits', /5%/],
  ])('0110, which offers something else for "%s", ends as %s', async (objective, status, offer) => {
    const { wrappedUp } = await listenTo('0110', {
      purpose: 'Book for the evening',
      objectives: [objective],
      context: {},
    })
    expect(wrappedUp.outcomes).toMatchObject([{ status, offer: expect.stringMatching(offer) }])
    expect(wrappedUp.summary).toMatchObject(
      status === 'offered' ? { type: 'pending', actionRequired: true } : { type: 'success' },
    )
  })

  it('0116 asks for a premium number, and the summary hides the number', async () => {
    const { wrappedUp, turns } = await listenTo('0116')
    expect(turns.map(({ text }) => text).join(' ')).toContain('nine zero zero')
    expect(JSON.stringify(wrappedUp.summary)).not.toMatch(/9005550123|900.?555|nine zero zero|9 0 0/)
  })

  describe.each([
    ['one objective', { purpose: 'Book a table for two', objectives: ['A table at 7 pm'] }],
    ['a short question', { purpose: 'Ask', objectives: ['Are you open on Sunday?'] }],
    ['a purpose alone', { purpose: 'Ask whether you are open', objectives: [] }],
    ['two objectives', {}],
  ])('of 0111, which never stops talking, for %s', (_, order) => {
    it.each([2, 5, 10, 30])(
      'ends at the limit of %i minutes with open outcomes and at most 15 agent turns',
      async (minutes) => {
        const { ended, turns, wrappedUp } = await listenTo('0111', { ...order, limitSeconds: minutes * 60 })
        expect(ended.reason).toBe('time_limit')
        // The last 30 s are for the goodbye.
        expect(ended.connectedSeconds).toBeGreaterThan(minutes * 60 - 35)
        expect(wrappedUp.outcomes.map(({ status }) => status).filter((status) => status !== 'open')).toEqual([])
        expect(turns.filter(({ speaker }) => speaker === 'agent').length).toBeLessThanOrEqual(15)
      },
    )
  })

  it.each([10, 50])(
    'at %i times the speed has no pause above 1 s, although the mouth is slow',
    async (speed) => {
      const { turns, ended } = await listenAtSpeed(speed)
      expect(ended.reason).toBe('agent_closed')
      const pausesMs = turns.slice(1).map(({ startMs }, at) => startMs - (turns[at]?.endMs ?? 0))
      expect(Math.max(...pausesMs)).toBeLessThan(1000)
    },
    60_000,
  )

  it.each(Object.entries(ENDINGS))('of %s ends as its persona decides', async (number, reasons) => {
    const { ended } = await listenTo(number)
    expect(reasons).toContain(ended.reason)
  })
})
