import type { EarEvent, HeardTurn } from '@parley/voice-ports'
import { heardTurn, ORDER } from '@parley/voice-ports/conformance'
import { describe, expect, it } from 'vitest'
import { anAsked, replied, saidIn, say, spoken, stageOpenai } from '../testing.ts'

const DISCLOSED = heardTurn(0, 'agent', 'Hello, this is an AI assistant calling on behalf of Anna Schmidt.')
const heardNow = (turns: readonly HeardTurn[], memory?: unknown) =>
  anAsked({ turns, memory, cue: { type: 'heard', text: turns.at(-1)!.text } })

type Staged = Awaited<ReturnType<typeof stageOpenai>>

/** An open ear with what it told. */
async function listening({ ear, clock }: Staged) {
  const events: EarEvent[] = []
  const abort = new AbortController()
  const options = { callId: ORDER.callId, language: 'en', keyterms: ['Braun'], signal: abort.signal }
  const listener = ear.listen(options, clock, (event) => void events.push(event))
  await clock.advance(40)
  const says = async (text: string) => {
    for (const frame of spoken(text).frames) {
      listener.push(frame)
      await clock.advance(20)
    }
    listener.finalize()
    await clock.advance(40)
  }
  return { events, listener, says }
}

/** The vendor's conversation, as a script sees it. */
const conversation = ({ far }: Staged) =>
  far.session.conversation.items.map(({ from, isSound, text }) => `${from}${isSound ? ' sound' : ''}: ${text}`)
const sent = ({ far }: Staged, type: string) => far.session.received.filter((event) => event.type === type)

describe('a session of OpenAI Realtime', () => {
  it('is set up with our turns, PCMU and words while they are spoken', async () => {
    const staged = await stageOpenai()
    await listening(staged)
    expect(staged.far.session.config).toMatchObject({
      output_modalities: ['text'],
      audio: {
        input: {
          format: { type: 'audio/pcmu' },
          turn_detection: null,
          transcription: { model: 'gpt-live-transcribe', language: 'en', keywords: ['Braun'] },
        },
      },
    })
    expect(staged.far.session.refusals).toEqual([])
  })

  it('is one for ear and mind of a call, and ends with its conclusion', async () => {
    const staged = await stageOpenai()
    const { listener } = await listening(staged)
    await replied(staged.mind, anAsked({ turns: [DISCLOSED] }), staged.clock)
    listener.close()
    expect(staged.far.sessions).toHaveLength(1)
    const ended = { ...anAsked(), endReason: 'callee_hung_up' as const }
    await staged.mind.conclude(ended, new AbortController().signal)
    expect(staged.count()).toBe(0)
  })

  it('answers the sound of the callee, and is not told its words again', async () => {
    const staged = await stageOpenai({ callee: () => 'Yes we have one' })
    const { says } = await listening(staged)
    await says('Yes we have one')
    await replied(staged.mind, heardNow([DISCLOSED, heardTurn(1, 'user', 'Yes we have one')]), staged.clock)
    expect(staged.questions.at(-1)?.items.map(({ from, isSound }) => `${from} ${isSound}`)).toEqual([
      'agent false',
      'callee true',
      'system false',
    ])
  })

  it('is told as text what another ear heard', async () => {
    const staged = await stageOpenai()
    await replied(staged.mind, heardNow([DISCLOSED, heardTurn(1, 'user', 'Yes.')]), staged.clock)
    expect(staged.questions[0]?.items.map(({ from, text }) => `${from}: ${text}`).slice(0, 2)).toEqual([
      `agent: ${DISCLOSED.text}`,
      'callee: Yes.',
    ])
  })

  it('pays for no silence', async () => {
    const staged = await stageOpenai({ callee: () => 'Yes' })
    const { listener, says } = await listening(staged)
    const silent = { audio: new Uint8Array(160).fill(0xff) }
    for (let frame = 0; frame < 500; frame++) listener.push(silent)
    await says('Yes')
    expect(staged.far.session.soundBytes).toBe((300 + 300) * 8)
  })

  it('forgets sound without words, and words that the session took for its echo', async () => {
    const words = ['', 'I would like a table', 'Yes']
    const staged = await stageOpenai({ callee: (utterance) => words[utterance] ?? '' })
    const { says } = await listening(staged)
    for (const text of ['Noise', 'I would like a table', 'Yes']) await says(text)
    await replied(staged.mind, heardNow([DISCLOSED, heardTurn(1, 'user', 'Yes')]), staged.clock)
    expect(staged.questions[0]?.items.filter(({ isSound }) => isSound).map(({ text }) => text)).toEqual(['Yes'])
  })
})

describe('text out', () => {
  const answers = () => [say('I would like a table for four on Friday.')]

  it('keeps a reply that was heard as it was made', async () => {
    const staged = await stageOpenai({ answers })
    const first = await replied(staged.mind, anAsked({ turns: [DISCLOSED] }), staged.clock)
    const memory = first.flatMap((event) => (event.type === 'memory' ? [event.memory] : []))[0]
    const turns = [DISCLOSED, heardTurn(1, 'agent', saidIn(first)), heardTurn(2, 'user', 'At eight?')]
    await replied(staged.mind, heardNow(turns, memory), staged.clock)
    expect(sent(staged, 'conversation.item.delete')).toHaveLength(1)
    expect(conversation(staged).slice(0, 3)).toEqual([
      `agent: ${DISCLOSED.text}`,
      `agent: ${saidIn(first)}`,
      'callee: At eight?',
    ])
  })

  it('replaces a reply that was cut short by what was heard', async () => {
    const staged = await stageOpenai({ answers })
    const first = await replied(staged.mind, anAsked({ turns: [DISCLOSED] }), staged.clock)
    const memory = first.flatMap((event) => (event.type === 'memory' ? [event.memory] : []))[0]
    const turns = [DISCLOSED, heardTurn(1, 'agent', 'I would like', false), heardTurn(2, 'user', 'Wait.')]
    await replied(staged.mind, heardNow(turns, memory), staged.clock)
    expect(staged.questions[1]?.items.map(({ text }) => text).slice(0, 3)).toEqual([
      DISCLOSED.text,
      'I would like …',
      'Wait.',
    ])
  })

  it('forgets a reply that was discarded', async () => {
    const staged = await stageOpenai({ answers })
    await replied(staged.mind, anAsked({ turns: [DISCLOSED] }), staged.clock)
    await replied(staged.mind, heardNow([DISCLOSED, heardTurn(1, 'user', 'Hello?')]), staged.clock)
    expect(staged.questions[1]?.items.map(({ text }) => text).slice(0, 2)).toEqual([DISCLOSED.text, 'Hello?'])
    expect(staged.far.session.refusals).toEqual([])
  })
})

describe('sound out', () => {
  const answers = () => [say('I would like a table for four on Friday.')]
  const realtime = { output: 'sound' } as const

  it('has the words of each sound before it', async () => {
    const { mind, clock } = await stageOpenai({ answers, realtime })
    const events = await replied(mind, anAsked(), clock)
    const sounds = events.flatMap((event) => (event.type === 'sound' ? [event] : []))
    expect(sounds.map(({ text, audio }) => text ?? audio.length).slice(0, 4)).toEqual(['I', 2400, ' would', 2400])
    expect(new Set(sounds.map(({ itemId }) => itemId)).size).toBe(1)
  })

  it.each([
    ['is truncated at what was heard', 640, 640],
    ['is truncated at no more than there is', 2690, undefined],
    ['heard out is not truncated', 2700, undefined],
  ])('%s', async (_, heardMs, endMs) => {
    const staged = await stageOpenai({ answers, realtime })
    const events = await replied(staged.mind, anAsked(), staged.clock)
    const itemId = events.flatMap((event) => (event.type === 'sound' ? [event.itemId] : []))[0]!
    staged.mind.heard?.(itemId, heardMs)
    await staged.clock.advance(20)
    expect(sent(staged, 'conversation.item.truncate').map((event) => Reflect.get(event, 'audio_end_ms'))).toEqual(
      endMs === undefined ? [] : [endMs],
    )
  })

  it('is deleted where nothing of it was heard', async () => {
    const staged = await stageOpenai({ answers, realtime })
    const events = await replied(staged.mind, anAsked(), staged.clock)
    const itemId = events.flatMap((event) => (event.type === 'sound' ? [event.itemId] : []))[0]!
    staged.mind.dropped?.(itemId)
    await staged.clock.advance(20)
    expect(sent(staged, 'conversation.item.delete')).toMatchObject([{ item_id: itemId }])
    expect(conversation(staged).filter((item) => item.startsWith('agent'))).toEqual([])
  })

  it('answers the next turn after the vendor refused to truncate', async () => {
    const staged = await stageOpenai({ answers, realtime })
    const { mind, clock, far } = staged
    const first = await replied(mind, anAsked(), clock)
    const itemId = first.flatMap((event) => (event.type === 'sound' ? [event.itemId] : []))[0]!
    far.session.conversation.items.find(({ id }) => id === itemId)!.soundMs = 100
    mind.heard?.(itemId, 1500)
    const second = await replied(mind, heardNow([DISCLOSED, heardTurn(1, 'user', 'Wait.')]), clock)
    expect(far.session.refusals).toEqual(['Audio content of 100ms is already shorter than 1500ms'])
    expect(saidIn(second)).toBe('I would like a table for four on Friday.')
  })
})
