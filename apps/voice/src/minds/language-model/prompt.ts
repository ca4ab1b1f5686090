import { discretionFor } from '@parley/offline-mind'
import type { Asked, CallState, Cue, HeardTurn } from '@parley/voice-ports'
import type { ModelMessage, SystemModelMessage } from 'ai'
import { fenced, orderText } from './order.ts'
import { RULES } from './rules.ts'

/** Older turns are left out. */
const TURNS_MAX = 120
const TURN_LETTERS_MAX = 2000

/** What a model is asked: rules and order first, which stay the same, then the turns as heard, and last what is new. */
export function promptFor(asked: Asked, instructions: readonly string[]) {
  return {
    instructions: prefixOf(asked),
    messages: [...heardMessages(asked), last(asked, instructions)].reduce(merged, []),
  }
}

/** The part of every request of a call that stays the same, so that vendors can keep it. */
export function prefixOf(state: CallState, rules = RULES): SystemModelMessage[] {
  return [
    { role: 'system', content: rules },
    {
      role: 'system',
      content: orderText(discretionFor(state).order),
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    },
  ]
}

function heardMessages({ turns }: CallState): ModelMessage[] {
  const recent = turns.filter(({ text }) => text.trim() !== '').slice(-TURNS_MAX)
  const shown = recent.map((turn): ModelMessage => {
    const text = turn.text.slice(0, TURN_LETTERS_MAX)
    return turn.speaker === 'user'
      ? { role: 'user', content: fenced('callee_said', text) }
      : { role: 'assistant', content: turn.heard ? text : `${text} …` }
  })
  const isWhole = recent.length === turns.length
  return [
    { role: 'user', content: isWhole ? 'The call is answered.' : 'The call goes on; its beginning is left out.' },
    ...shown,
  ]
}

function last(asked: Asked, instructions: readonly string[]): ModelMessage {
  const told = instructions.map((text) => fenced('principal_instruction', text))
  const missing = missingWords(asked)
  return {
    role: 'user',
    content: [
      ...(missing === '' ? [] : [fenced('callee_said', missing)]),
      '<situation>',
      situationOf(asked),
      ...(told.length > 0 ? [`Instructions of your principal so far:\n${told.join('\n')}`] : []),
      cueText(asked.cue, asked.turns),
      '</situation>',
    ].join('\n'),
  }
}

/** Words that are answered early are no turn yet. */
function missingWords({ cue, turns }: Asked): string {
  if (cue.type !== 'heard') return ''
  const since = turns.findLastIndex(({ speaker }) => speaker === 'agent')
  const known = turns.slice(since + 1).map(({ text }) => text)
  return known.join(' ').includes(cue.text.trim()) ? '' : cue.text.trim()
}

/** Vendors want the sides to take turns. */
function merged(messages: readonly ModelMessage[], next: ModelMessage): ModelMessage[] {
  const before = messages.at(-1)
  if (before?.role !== next.role || typeof before.content !== 'string' || typeof next.content !== 'string')
    return [...messages, next]
  const content = `${before.content}\n${next.content}`
  return [...messages.slice(0, -1), next.role === 'user' ? { role: 'user', content } : { role: 'assistant', content }]
}

export function situationOf(state: CallState): string {
  const { now, timezone, timeLeftMs, language, outcomes } = state
  const minutes = Math.floor(timeLeftMs / 60_000)
  const left = minutes >= 1 ? `${minutes} min` : `${Math.round(timeLeftMs / 1000)} s`
  const settled = outcomes.map(({ status, quote, offer }, index) => {
    const what = [offer && `agreed or offered: ${JSON.stringify(offer)}`, quote && `they said ${JSON.stringify(quote)}`]
    return `${index + 1} ${status}${what.some(Boolean) ? ` (${what.filter(Boolean).join(', ')})` : ''}`
  })
  return [
    `Now: ${dateText(now, timezone)} (${timezone}). Time left in the call: ${left}.`,
    `Language of the call: ${languageName(language)}.`,
    ...(settled.length > 0 ? [`Objectives so far: ${fencedPlain(settled.join('; '))}.`] : []),
  ].join('\n')
}

const fencedPlain = (text: string) => text.replaceAll('<', '‹').replaceAll('>', '›')

function dateText(now: Date, timezone: string): string {
  const format = (timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(now)
  try {
    return format(timezone)
  } catch {
    return format('UTC')
  }
}

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' })

export function languageName(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag
  } catch {
    return tag
  }
}

function cueText(cue: Cue, turns: readonly HeardTurn[]): string {
  switch (cue.type) {
    case 'opening':
      return 'The callee is on the line, and the server has said who is calling. Say the matter in one sentence and ask your first question.'
    case 'heard': {
      const wasCut = turns.findLast(({ speaker }) => speaker === 'agent')?.heard === false
      const heard = cue.text.trim() === '' ? 'They said something that was not understood.' : 'They have just spoken.'
      return `${heard}${wasCut ? ' You were cut short: what follows "…" was not heard.' : ''} Reply now.`
    }
    case 'silence':
      return cue.count >= SILENCES_MAX
        ? 'Nobody has answered again. Say goodbye in one sentence and call end_call with silence.'
        : `The callee is silent (time ${cue.count} in a row). Ask briefly whether they are still there, or put your question in other words.`
    case 'instruction':
      return 'The last instruction is new. Follow it in your next words, without saying that you were instructed.'
    case 'time_nearly_up':
      return 'The time of this call is nearly up. Say in at most two short sentences what stands, thank them and say goodbye; then call end_call.'
    case 'voicemail':
      return 'An answering machine has the call; its beep has sounded, and the server has said who is calling. Say one message now: for whom you call, what about, nothing private. Ask no question. Then call leave_message.'
    case 'menu':
      return `A recorded menu speaks:\n${fenced('recording_said', cue.text)}\nChoose with send_digits what leads to a person for this matter. Say something only if it asks you to speak.`
    case 'screening':
      return `An assistant screens the call:\n${fenced('recording_said', cue.text)}\nSay in one sentence for whom you call and what about.`
  }
}

/** So many silences in a row end the call. */
export const SILENCES_MAX = 3
