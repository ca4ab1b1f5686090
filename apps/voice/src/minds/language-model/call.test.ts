import { CALL_LANGUAGES, type CallLanguage } from '@parley/contract'
import { createScriptedMind } from '@parley/offline-mind'
import { type ModelAnswer, type ModelRequest, spoken } from '@parley/sandbox/testing'
import { type Mind, type MindEvent, virtualClock } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { stageCall } from '../../session/testing/staged-call.ts'
import { failoverMind } from '../failover.ts'
import { createLanguageModelMind } from './index.ts'
import { languageName } from './prompt.ts'
import { openModels, quiet, settingsOf } from './testing.ts'

const models = openModels()

/** Counts what it is asked: real sockets need real time, in which the time of the call stands still. */
function counted(mind: Mind) {
  let busy = 0
  async function* held<T>(events: AsyncIterable<T> | readonly T[]): AsyncGenerator<T> {
    busy++
    try {
      yield* events
    } finally {
      busy--
    }
  }
  const watched: Mind = {
    name: mind.name,
    respond: (asked, signal): AsyncIterable<MindEvent> => held(mind.respond(asked, signal)),
    observe: (asked, signal) => held(mind.observe?.(asked, signal) ?? []),
    conclude: (ended, signal) => (busy++, mind.conclude(ended, signal).finally(() => busy--)),
  }
  return { mind: watched, isBusy: () => busy > 0 }
}

async function aCall(answer: (request: ModelRequest) => ModelAnswer | undefined, language: CallLanguage = 'en') {
  const clock = virtualClock()
  const far = await models.farEnd(answer)
  const model = await createLanguageModelMind(settingsOf(far, 'openai'), { clock, log: quiet })
  const { mind, isBusy } = counted(failoverMind([model], { clock, log: quiet, last: createScriptedMind() }))
  const call = stageCall({ mind, order: { language } })
  const advance = call.clock.advance.bind(call.clock)
  call.clock.advance = async (ms) => {
    for (let leftMs = ms; leftMs > 0; leftMs -= 20) {
      await advance(Math.min(20, leftMs))
      while (isBusy()) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { call, far }
}

const json = (value: unknown): ModelAnswer => ({ steps: [{ type: 'say', text: JSON.stringify(value) }] })
const met = { objective: 1, status: 'met', quote: 'we have one', offer: null, value: null }

/** A question of a model in each language of calls. */
const SPOKEN: readonly (readonly [CallLanguage, string])[] = [
  ['en', 'Do you have a table for two people?'],
  ['es', '¿Tienen una mesa para dos personas?'],
  ['fr', 'Avez-vous une table pour deux personnes ?'],
  ['de', 'Haben Sie einen Tisch für zwei Personen?'],
  ['it', 'Avete un tavolo per due persone?'],
  ['pt', 'Têm uma mesa para duas pessoas?'],
  ['pt-BR', 'Vocês têm uma mesa para duas pessoas?'],
  ['el', 'Έχετε ένα τραπέζι για δύο άτομα;'],
  ['hi', 'क्या आपके पास दो लोगों के लिए मेज़ है?'],
  ['ar', 'هل لديكم طاولة لشخصين؟'],
  ['zh', '请问你们有两个人的桌子吗？'],
  ['ja', '二人用のテーブルはありますか？'],
]

/** A model that leads this one call. */
function leads(request: ModelRequest): ModelAnswer | undefined {
  const cue = request.messages.at(-1)?.text ?? ''
  if (cue.includes('The call is over')) {
    const summary = {
      type: 'success',
      title: 'Booked',
      description: 'A table is booked.',
      insights: [],
      next_steps: [],
      action: null,
    }
    return json({ outcomes: [met], summary })
  }
  if (request.schema !== null) return json({ outcomes: [], opted_out: null, language: null })
  if (cue.includes('is on the line')) return spoken('I would like a table for two. Is that possible?')
  if (cue.includes('we have one'))
    return spoken('Wonderful, thank you. Goodbye.', ['mark_objective', met], ['end_call', { reason: 'agent_closed' }])
  return undefined
}

describe('a call led by a language model', () => {
  it('goes from the disclosure to the summary', async () => {
    const { call } = await aCall(leads)
    await call.opened()
    await call.far.says('Yes we have one.')
    await call.over()
    expect(call.turnTexts()).toEqual([
      'agent: Hello, this is an AI assistant calling on behalf of Ann Smith.',
      'agent: I would like a table for two. Is that possible?',
      'user: Yes we have one.',
      'agent: Wonderful, thank you. Goodbye.',
    ])
    expect(call.ended()).toMatchObject({ reason: 'agent_closed' })
    expect(call.facts().at(-1)).toMatchObject({
      type: 'wrapped_up',
      outcomes: [{ status: 'met', quote: 'we have one', turn: 2 }],
      summary: { type: 'success', title: 'Booked' },
    })
  })

  it.each(SPOKEN)('speaks in %s from the disclosure on', async (language, sentence) => {
    const { call, far } = await aCall(() => spoken(sentence), language)
    await call.opened()
    const [disclosure, opening] = call.turns().map(({ text }) => text)
    expect(disclosure?.includes('AI assistant')).toBe(language === 'en')
    expect(opening).toBe(sentence)
    expect(far.exchanges[0]?.request.messages.at(-1)?.text).toContain(
      `Language of the call: ${languageName(language)}.`,
    )
  })

  it('has a sentence for each language of calls', () => {
    expect(SPOKEN.map(([language]) => language).toSorted()).toEqual(
      CALL_LANGUAGES.filter((each) => each !== 'auto').toSorted(),
    )
  })

  it('remembers only what was heard when the callee interrupts', async () => {
    const long = 'I would like a table for two on Friday evening at seven, near the window if that is possible.'
    const { call, far } = await aCall((request) =>
      request.messages.at(-1)?.text.includes('is on the line')
        ? spoken(long)
        : (leads(request) ?? spoken('Of course.')),
    )
    await call.answer()
    while (!call.turnTexts().some((text) => text.includes('I would like'))) await call.clock.advance(200)
    await call.clock.advance(600)
    await call.far.says('Wait wait who is calling please')
    await call.clock.advance(4000)
    const asked = far.exchanges.map(({ request }) => request).filter(({ schema }) => schema === null)
    const own =
      asked
        .at(-1)
        ?.messages.filter(({ role }) => role === 'assistant')
        .at(-1)?.text ?? ''
    expect(own).toMatch(/I would like.* …$/)
    expect(own).not.toContain('window')
  })

  it('ends with the truth when the model fails in its middle for good', async () => {
    const { call } = await aCall((request) =>
      request.messages.at(-1)?.text.includes('is on the line') ? leads(request) : { status: 401 },
    )
    await call.opened()
    await call.far.says('Yes we have one.')
    await call.over()
    expect(call.turnTexts().at(-1)).toMatch(/technical problem and have to end this call/)
    expect(call.facts().at(-1)).toMatchObject({ type: 'wrapped_up', outcomes: [{ status: 'open' }] })
  })
})
