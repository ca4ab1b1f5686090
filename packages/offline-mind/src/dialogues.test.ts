import type { EndReason } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { aCallState, heardTurn, ORDER } from '@parley/voice-ports/conformance'
import type { Cue, HeardTurn, MindEvent } from '@parley/voice-ports'
import { DIALOGUES_OF_READY_ORDERS } from './samples/dialogues-of-ready-orders.ts'
import { DIALOGUES_OF_SURPRISES } from './samples/dialogues-of-surprises.ts'
import { DIALOGUES, type Dialogue } from './samples/dialogues.ts'
import { wordCount } from './hearing/text.ts'
import { createScriptedMind } from './index.ts'

const SPOKEN_WORDS_MAX = 38

async function play({ order, steps }: Dialogue) {
  const mind = createScriptedMind()
  const signal = new AbortController().signal
  const full = { ...ORDER, tone: 'professional' as const, ...order }
  const turns: HeardTurn[] = [
    heardTurn(0, 'agent', `Hello, this is an AI assistant calling on behalf of ${full.onBehalfOf}.`),
  ]
  const replies: string[] = []
  const all: MindEvent[] = []
  let memory: unknown
  let language = 'en'
  let ended: EndReason | null = null
  for (const cue of [
    { type: 'opening' } as const,
    ...steps.map(([said]): Cue => (typeof said === 'string' ? { type: 'heard', text: said } : said)),
  ]) {
    if (cue.type === 'heard') turns.push(heardTurn(turns.length, 'user', cue.text))
    const said: string[] = []
    for await (const event of mind.respond(
      { ...aCallState({ order: full, language, turns: [...turns], memory }), cue },
      signal,
    )) {
      all.push(event)
      if (event.type === 'say') said.push(event.text)
      if (event.type === 'language') ({ language } = event)
      if (event.type === 'memory') ({ memory } = event)
      if (event.type === 'hang_up') ended = event.reason
      if (event.type === 'press') said.push(`[${event.digits}]`)
    }
    replies.push(said.join(' '))
    if (said.length > 0) turns.push(heardTurn(turns.length, 'agent', said.join(' ')))
  }
  const conclusion = await mind.conclude(
    { ...aCallState({ order: full, language, turns, memory }), endReason: ended ?? 'callee_hung_up' },
    signal,
  )
  return { replies, ended, all, turns, ...conclusion }
}

describe.each(Object.entries({ ...DIALOGUES, ...DIALOGUES_OF_SURPRISES, ...DIALOGUES_OF_READY_ORDERS }))(
  '%s',
  (_, dialogue) => {
    test('gives the expected replies, end reason, outcomes and summary', async () => {
      const played = await play(dialogue)
      const { replies, ended, all, turns, outcomes, summary } = played
      const expected = [dialogue.opening, ...dialogue.steps.map(([, gist]) => gist)]
      for (const [at, gist] of expected.entries()) expect(replies[at]).toMatch(gist)
      expect(ended).toBe(dialogue.ends)
      expect(outcomes.map(({ status }) => status)).toEqual(dialogue.outcomes)
      expect(summary).toMatchObject({
        ...dialogue.summary,
        title: expect.stringMatching(dialogue.summary.title),
        description: expect.stringMatching(dialogue.summary.description ?? /./),
      })
      for (const reply of replies) expect(wordCount(reply)).toBeLessThanOrEqual(SPOKEN_WORDS_MAX)
      for (const reply of replies) expect(reply).not.toMatch(dialogue.never ?? /undefined|null|\{|\}|\.\./)
      for (const { quote, turn } of outcomes)
        expect(quote === null ? undefined : turns[turn ?? -1]?.text.trim()).toBe(quote ?? undefined)
      const last = new Map(
        all.flatMap((event) => (event.type === 'outcome' ? [[event.index, event.outcome] as const] : [])),
      )
      for (const [index, outcome] of last) expect(outcomes[index]).toEqual(outcome)
    })
  },
)
