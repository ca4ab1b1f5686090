import type { Outcome } from '@parley/contract'
import { createScriptedMind } from '@parley/offline-mind'
import { type ModelAnswer, type ModelRequest, spoken } from '@parley/sandbox/testing'
import type { Asked, EndedCall, Mind, MindEvent, Observation } from '@parley/voice-ports'

interface Said {
  /** Turns of the callee before it. */
  readonly turns: number
  readonly answer: ModelAnswer
}

/** Letters and figures alone. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** What the last message of a request asks for, by the wording of its cue. */
const KINDS: readonly (readonly [RegExp, Asked['cue']['type']])[] = [
  [/The callee is on the line/, 'opening'],
  [/time of this call is nearly up/, 'time_nearly_up'],
  [/An answering machine has the call/, 'voicemail'],
  [/A recorded menu speaks/, 'menu'],
  [/An assistant screens the call/, 'screening'],
  [/The callee is silent|Nobody has answered again/, 'silence'],
  [/instruction is new/, 'instruction'],
  [/Reply now\./, 'heard'],
]

/** Cues of the clock: the callee's last words may have ended by then, or not. */
const WORDLESS: ReadonlySet<string> = new Set(['time_nearly_up', 'silence', 'voicemail', 'opening'])

/**
 * Dialogues of the offline mind with the personas, as a table: who is called, what for, and the callee's last words, to
 * what a competent model answers. A far end answers from it what is in the request, and nothing else.
 */
export class Dialogues {
  readonly #table = new Map<string, Said[]>()

  /** The offline mind, noting what it says. */
  recording(): Mind {
    const mind = createScriptedMind()
    const put = (key: string, turns: number, answer: ModelAnswer) =>
      this.#table.set(key, [...(this.#table.get(key) ?? []), { turns, answer }])
    return {
      ...mind,
      async *respond(asked, signal) {
        const events: MindEvent[] = []
        for await (const event of mind.respond(asked, signal)) {
          events.push(event)
          yield event
        }
        put(keyOf(asked.order.callee, asked.cue.type, newWords(asked)), heardIn(asked).length, inTools(events))
      },
      async *observe(asked, signal) {
        const events: Observation[] = []
        for await (const event of mind.observe?.(asked, signal) ?? []) {
          events.push(event)
          yield event
        }
        const heard = heardIn(asked)
        put(keyOf(asked.order.callee, 'observe', heard.at(-1) ?? ''), heard.length, observed(events))
      },
      conclude: async (ended, signal) => {
        const concluded = await mind.conclude(ended, signal)
        put(keyOf(ended.order.callee, `end ${ended.endReason}`, heardIn(ended).join(' ')), 0, {
          steps: [{ type: 'say', text: JSON.stringify(inForm(concluded)) }],
        })
        return concluded
      },
    }
  }

  /** Undefined where nothing in the table fits, which the far end refuses. */
  answer({ system, messages, schema }: ModelRequest): ModelAnswer | undefined {
    const callee = /Number called: (\+\d+)/.exec(system)?.[1] ?? ''
    const heard = messages.flatMap(({ role, text }) => (role === 'user' ? saidIn(text) : []))
    const last = messages.at(-1)?.text ?? ''
    const reason = /The call is over: (\w+)\./.exec(last)?.[1]
    if (reason !== undefined) return this.#find(keyOf(callee, `end ${reason}`, heard.join(' ')), 0)
    if (schema !== null) return this.#find(keyOf(callee, 'observe', heard.at(-1) ?? ''), heard.length)
    const kind = KINDS.find(([words]) => words.test(last))?.[1] ?? 'unknown'
    const recorded = /<recording_said>([\s\S]*?)<\/recording_said>/.exec(last)?.[1]
    const words = WORDLESS.has(kind) ? '' : (recorded ?? saidIn(last).join(' '))
    return this.#find(keyOf(callee, kind, words), heard.length)
  }

  /** Of the same words said again, those at the same place in the call. */
  #find(key: string, turns: number): ModelAnswer | undefined {
    const distance = (said: Said) => Math.abs(said.turns - turns)
    return this.#table.get(key)?.toSorted((a, b) => distance(a) - distance(b))[0]?.answer
  }
}

const keyOf = (callee: string, what: string, words: string) => `${callee}|${what}|${plain(words)}`

const saidIn = (text: string) =>
  [...text.matchAll(/<callee_said>([\s\S]*?)<\/callee_said>/g)].map(([, words = '']) => words)

const heardIn = ({ turns }: Pick<EndedCall, 'turns'>) =>
  turns.flatMap(({ speaker, text }) => (speaker === 'user' && text.trim() !== '' ? [text] : []))

/** What the callee has said since the agent last spoke. */
function newWords({ turns, cue }: Asked): string {
  if (WORDLESS.has(cue.type)) return ''
  if (cue.type === 'menu' || cue.type === 'screening') return cue.text
  const known = heardIn({ turns: turns.slice(turns.findLastIndex(({ speaker }) => speaker === 'agent') + 1) })
  const text = cue.type === 'heard' ? cue.text.trim() : ''
  return known.join(' ').includes(text) ? known.join(' ') : [...known, text].join(' ')
}

/** A reply as a model gives it: words, and calls of tools. */
function inTools(events: readonly MindEvent[]): ModelAnswer {
  const text = events.map((event) => (event.type === 'say' ? event.text : '')).join('')
  const { steps } = spoken('', ...events.flatMap(callsOf))
  // The language changes before the words, keys are pressed behind them.
  const isFirst = (step: (typeof steps)[number]) => step.type === 'call' && step.name === 'change_language'
  return { steps: [...steps.filter(isFirst), ...spoken(text).steps, ...steps.filter((step) => !isFirst(step))] }
}

function callsOf(event: MindEvent): (readonly [string, unknown])[] {
  switch (event.type) {
    case 'outcome':
      return event.outcome.status === 'open' ? [] : [['mark_objective', markOf(event.index, event.outcome)]]
    case 'language':
      return [['change_language', { language: event.language }]]
    case 'press':
      return [['send_digits', { digits: event.digits }]]
    case 'wait':
      return [['wait', { seconds: event.forMs / 1000 }]]
    case 'transfer':
      return [['transfer', { to: event.to }]]
    case 'ask_owner':
      return [['ask_owner', { question: event.question }]]
    case 'hang_up':
      if (event.reason === 'voicemail') return [['leave_message', {}]]
      return event.reason === 'time_limit' ? [] : [['end_call', { reason: event.reason }]]
    case 'say':
    case 'sound':
    case 'phase':
    case 'opted_out':
    case 'usage':
    case 'memory':
      return []
  }
}

/** An outcome in the form of the tool and of the schemas. */
function markOf(index: number, { status, quote, offer, value }: Outcome) {
  return { objective: index + 1, status, quote: quote ?? '', offer: offer ?? null, value: value ? toldOf(value) : null }
}

function toldOf(value: NonNullable<Outcome['value']>) {
  const { type } = value
  switch (value.type) {
    case 'date_time':
      return { type, text: value.at, unit: null }
    case 'date':
      return { type, text: value.date, unit: null }
    case 'money':
      return { type, text: String(value.amountCents / 100), unit: value.currency }
    case 'number':
      return { type, text: String(value.number), unit: value.unit }
    case 'name':
      return { type, text: value.name, unit: null }
    case 'reference':
      return { type, text: value.reference, unit: null }
  }
}

function observed(events: readonly Observation[]): ModelAnswer {
  const told = {
    outcomes: events.flatMap((event) => (event.type === 'outcome' ? [markOf(event.index, event.outcome)] : [])),
    opted_out: events.find((event) => event.type === 'opted_out')?.quote ?? null,
    language: events.find((event) => event.type === 'language')?.language ?? null,
  }
  return { steps: [{ type: 'say', text: JSON.stringify(told) }] }
}

function inForm({ outcomes, summary }: Awaited<ReturnType<Mind['conclude']>>) {
  const { type, title, description, insights, nextSteps, actionText } = summary
  return {
    outcomes: outcomes.map((outcome, index) => ({ ...markOf(index, outcome), quote: outcome.quote })),
    summary: { type, title, description, insights, next_steps: nextSteps, action: actionText },
  }
}
