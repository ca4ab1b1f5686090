import type { Asked, Mind, MindEvent } from '@parley/voice-ports'

/** One reply of a troubled mind; an Error breaks it off. */
type Script = (asked: Asked) => readonly (MindEvent | Error)[]

const say = (text: string): MindEvent => ({ type: 'say', text })
const MEMORY: MindEvent = { type: 'memory', memory: null }
const OUTCOME = (asked: Asked): MindEvent => ({
  type: 'outcome',
  index: 0,
  outcome: { objective: asked.order.objectives[0] ?? '', status: 'open', quote: null, turn: null },
})

/** What language models do to those who listen to them. */
const SCRIPTS = {
  'half a sentence': () => [say('I would like to book a ta'), new Error('The connection broke.')],
  markup: () => [say('## Hello\n\n- I would **like** a table 🙂.\n```json\n{"book": true}\n```'), MEMORY],
  'an empty reply': () => [{ type: 'usage', inputTokens: 900, outputTokens: 0, model: 'troubled' }, MEMORY],
  'a tool before speech': (asked) => [OUTCOME(asked), { type: 'press', digits: '1' }, say('I am calling.'), MEMORY],
  'deltas cut in odd places': () => [
    ...'Dr. Braun says 7.30 p.m. is **fine** 🙂. Is it?'.split(/(?<=[.*\ud83d])|(?<=[a-z])(?=[a-z])/).map(say),
    MEMORY,
  ],
} as const satisfies Record<string, Script>

export type Trouble = keyof typeof SCRIPTS

/** A mind for tests with one kind of trouble in every reply. */
export function createTroubledMind(trouble: Trouble): Mind {
  return {
    name: `troubled by ${trouble}`,
    async *respond(asked, signal) {
      for (const event of SCRIPTS[trouble](asked)) {
        if (signal.aborted) return
        if (event instanceof Error) throw event
        yield event
      }
    },
    conclude: () => Promise.reject(new Error('This mind concludes nothing.')),
  }
}
