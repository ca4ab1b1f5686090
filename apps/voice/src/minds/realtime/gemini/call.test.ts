import { frameTicker, type HeardTurn, type MindEvent } from '@parley/voice-ports'
import { heardTurn } from '@parley/voice-ports/conformance'
import { describe, expect, it } from 'vitest'
import { textEar } from '../../../session/testing/fakes.ts'
import { stageCall } from '../../../session/testing/staged-call.ts'
import { anAsked, replied, saidIn, say, stageGemini } from '../testing.ts'

type Options = NonNullable<Parameters<typeof stageGemini>[0]>
const LONG = 'I would like a table for four on Friday.'
const heardNow = (turns: readonly HeardTurn[], memory?: unknown) =>
  anAsked({ turns, memory, cue: { type: 'heard', text: turns.at(-1)!.text } })
const memoryOf = (events: readonly MindEvent[]) =>
  events.flatMap((event) => (event.type === 'memory' ? [event.memory] : []))[0]
type Staged = Awaited<ReturnType<typeof stageGemini>>
const lastText = ({ questions }: Staged) =>
  questions.at(-1)?.items.findLast(({ from }) => from === 'system')?.text ?? ''

/** A whole call whose ear and mind are one session of the vendor. */
async function staged(options: Options = {}, outlived = false) {
  let speaks = ''
  const vendor = await stageGemini({ wordMs: 40, ...options, callee: () => speaks })
  const time = { clock: vendor.clock, ticker: frameTicker(vendor.clock) }
  const call = stageCall({ mind: vendor.mind, ears: outlived ? [vendor.ear, textEar] : [vendor.ear], time })
  call.far.capabilities = { ...call.far.capabilities, text: outlived }
  const says = async (text: string) => {
    speaks = text
    await call.far.says(text)
  }
  return { ...vendor, call, says }
}

const BOOKING: Options['answers'] = ({ items }) => {
  const heard = items.findLast(({ from }) => from === 'callee')?.text ?? ''
  if (heard === '') return [say('Do you have a table for two on Friday?')]
  if (!heard.includes('bye')) return [say('Thank you, then please book it for us.')]
  return [say('Goodbye.'), { call: 'end_call', with: { reason: 'agent_closed' } }]
}

describe('a call with Gemini Live', () => {
  it.each(['text', 'sound'] as const)('is led over one session, with %s out', async (output) => {
    const { call, says, far, count } = await staged({ answers: BOOKING, realtime: { output } })
    await call.opened()
    await says('Yes we have a table at eight')
    await call.clock.advance(5000)
    await says('Very well bye')
    await call.over()
    expect(call.turnTexts()).toEqual([
      'agent: Hello, this is an AI assistant calling on behalf of Ann Smith.',
      'agent: Do you have a table for two on Friday?',
      'user: Yes we have a table at eight',
      'agent: Thank you, then please book it for us.',
      'user: Very well bye',
      'agent: Goodbye.',
    ])
    expect(call.ended()).toMatchObject({ reason: 'agent_closed' })
    expect(far.sessions).toHaveLength(1)
    expect(far.session.refusals).toEqual([])
    expect(count()).toBe(0)
  })

  it('answers the sound itself: the end of the sound is its question', async () => {
    const { call, says, questions } = await staged({ answers: BOOKING })
    await call.opened()
    const before = questions.length
    await says('Yes we have a table at eight')
    await call.clock.advance(4000)
    expect(questions).toHaveLength(before + 1)
    expect(questions.at(-1)?.items.at(-1)).toMatchObject({ isSound: true, text: 'Yes we have a table at eight' })
  })

  it('goes on over a second ear and without the vendor when the vendor is gone for good, to the carrier’s seconds', async () => {
    const { call, far } = await staged({ answers: BOOKING }, true)
    await call.opened()
    far.refusals.push(...Array.from({ length: 50 }, () => 503))
    far.session.break()
    await call.clock.advance(10_000)
    await call.far.says('Yes we have a table at eight')
    await call.clock.advance(30_000)
    const texts = call.turnTexts().slice(2)
    expect(texts).toContain('user: Yes we have a table at eight')
    expect(texts.join('\n')).toContain("I'm sorry, I had a technical problem.")
    call.far.end('remote')
    await call.over()
    const { connectedSeconds = 0 } = call.ended() ?? {}
    expect(await call.far.ask('')).toMatchObject({ state: 'ended', connectedMs: connectedSeconds * 1000 })
    expect(connectedSeconds).toBeGreaterThan(40)
  })
})

describe('a session of Gemini Live', () => {
  it('detects no turns, is not interrupted by sound, and knows its order before the first word', async () => {
    const vendor = await stageGemini()
    await replied(vendor.mind, anAsked(), vendor.clock)
    expect(vendor.far.session.setup?.realtimeInputConfig).toEqual({
      automaticActivityDetection: { disabled: true },
      activityHandling: 'NO_INTERRUPTION',
    })
    expect(vendor.questions[0]?.instructions).toContain('Book a table for four on Friday')
  })

  it('is told what was heard of a reply that was cut short', async () => {
    const vendor = await stageGemini({ answers: () => [say(LONG)] })
    const first = await replied(vendor.mind, anAsked(), vendor.clock)
    const turns = [heardTurn(0, 'agent', 'I would like', false), heardTurn(1, 'user', 'Wait.')]
    await replied(vendor.mind, heardNow(turns, memoryOf(first)), vendor.clock)
    expect(lastText(vendor)).toContain('They heard of your reply only: "I would like …"')
  })

  it('is told that a discarded reply was not heard', async () => {
    const vendor = await stageGemini({ answers: () => [say(LONG)] })
    await replied(vendor.mind, anAsked(), vendor.clock)
    await replied(vendor.mind, heardNow([heardTurn(0, 'user', 'Hello?')]), vendor.clock)
    expect(lastText(vendor)).toContain(`They did not hear this of you, as if you had not said it: "${LONG}"`)
  })

  it('gives nothing more of an aborted reply, and answers the next', async () => {
    const vendor = await stageGemini({ answers: () => [say(LONG)], wordMs: 100 })
    const abort = new AbortController()
    const events: MindEvent[] = []
    const over = (async () => {
      for await (const event of vendor.mind.respond(anAsked(), abort.signal)) events.push(event)
    })()
    await vendor.clock.advance(250)
    abort.abort()
    await over
    const next = await replied(vendor.mind, heardNow([heardTurn(0, 'user', 'Hello?')]), vendor.clock)
    expect(saidIn(events).length).toBeLessThan(LONG.length)
    expect(saidIn(next)).toBe(LONG)
  })

  it.each<[string, (vendor: Staged) => void]>([
    ['breaks', ({ far }) => far.session.break()],
    ['is about to end', ({ far }) => far.session.goAway()],
  ])('that %s is opened again, and told the conversation as heard', async (_, ends) => {
    const vendor = await stageGemini({ answers: () => [say(LONG)] })
    const first = await replied(vendor.mind, anAsked(), vendor.clock)
    ends(vendor)
    await vendor.clock.advance(40)
    const turns = [heardTurn(0, 'agent', 'I would like', false), heardTurn(1, 'user', 'Go on.')]
    const second = await replied(vendor.mind, heardNow(turns, memoryOf(first)), vendor.clock)
    expect(saidIn(second)).toBe(LONG)
    expect(vendor.far.sessions).toHaveLength(2)
    expect(lastText(vendor)).toContain('They heard of your reply only: "I would like …"\nThey said: "Go on."')
  })

  it.each<[string, Options['answers']]>([
    ['without a word', () => []],
    ['with a broken function call', () => [{ fail: { code: 'MALFORMED_FUNCTION_CALL', message: '' } }]],
    ['broken off by the network', () => [say('I would'), { breaks: true }]],
  ])('%s in a reply is a fault', async (_, answers) => {
    const { mind, clock } = await stageGemini({ ...(answers && { answers }) })
    await expect(replied(mind, anAsked(), clock)).rejects.toThrow(/./)
  })

  it('never acts on invalid arguments, and goes on after garbage', async () => {
    const { mind, clock } = await stageGemini({
      answers: () => [{ garbage: 'no json' }, { call: 'send_digits', with: { digits: 'all' } }, say('Hello.')],
    })
    const events = await replied(mind, anAsked(), clock)
    expect(events.map(({ type }) => type)).toEqual(['say', 'memory'])
  })

  it.each([
    ['a right key and model', {}, { ok: true }],
    ['a wrong key', { apiKey: 'wrong' }, { ok: false, problem: expect.stringContaining('400') }],
    ['an unknown model', { model: 'gemini-none' }, { ok: false }],
  ])('is checked with %s', async (_, realtime, result) => {
    const { check } = await stageGemini({ realtime })
    expect(await check.run(AbortSignal.timeout(5000))).toMatchObject(result)
  })
})
