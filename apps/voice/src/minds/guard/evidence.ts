import type { Outcome, OutcomeValue } from '@parley/contract'
import { folded, type AnswerRead, type OrderReading, SPOKEN_LANGUAGES, withDigits } from '@parley/offline-mind'
import type { Asked, HeardTurn } from '@parley/voice-ports'
import { defers } from './table.ts'

export interface Scene {
  readonly reading: OrderReading
  readonly objectives: readonly string[]
  readonly turns: readonly HeardTurn[]
  /** The call is over: what was not said by now was not agreed to. */
  readonly isOver: boolean
}

/** An outcome as it may be told now; null where it would only take back what is known. */
export function told(claimed: Outcome, index: number, scene: Scene, known: readonly Outcome[]): Outcome | null {
  if (scene.objectives[index] === undefined) return null
  const judged = evidenced(claimed, index, scene)
  const before = known[index]
  const isInvented = judged.status === 'open' && claimed.status !== 'open'
  return isInvented && before !== undefined && before.status !== 'open' ? null : judged
}

export function sceneOf(
  { order, turns }: Pick<Asked, 'order' | 'turns'>,
  reading: OrderReading,
  isOver: boolean,
): Scene {
  return { reading, objectives: order.objectives, turns, isOver }
}

/** Words of a callee who has done what was asked, beside a yes. */
const DONE =
  /\b(?:booked|reserved|confirmed|done|noted|all set|set up|scheduled|moved|changed|cancelled|canceled|arranged|see you|got you|you're in|put you|have you|wrote|written|reservad[oa]|confirmad[oa]|apuntad[oa]|listo|hecho|anotad[oa]|cambiad[oa]|anulad[oa]|les esperamos|reservee?|confirmee?|notee?|c'est fait|inscrite?|annulee?|deplacee?|gebucht|reserviert|bestatigt|eingetragen|notiert|erledigt|verschoben|storniert|vorgemerkt)\b/
const WILLING =
  /\b(?:of course|no problem|works|perfect|fine|absolutely|gladly|certainly|can do|possible|available|free|happy to|sure|claro|perfecto|por supuesto|encantad[oa]|posible|libre|bien sur|parfait|possible|disponible|volontiers|naturlich|gern|gerne|passt|moglich|frei|selbstverstandlich)\b/
const TAKEN_BACK =
  /\b(?:actually|wait|sorry|after all|mistake|taken|gone|not possible|can't|cannot|en realidad|perdone|lo siento|error|ya no|en fait|pardon|desole|erreur|doch nicht|leider|entschuldigung|irrtum|vergeben)\b/
const PRECEDING_MAX = 3

/** What an outcome counts for, by what the callee said: never more than the mind claims, and open without evidence. */
export function evidenced(claimed: Outcome, index: number, scene: Scene): Outcome {
  const objective = scene.objectives[index] ?? claimed.objective
  const open: Outcome = { objective, status: 'open', quote: null, turn: null, offer: null }
  const turn = quotedTurn(claimed, scene.turns)
  const own: Outcome = { ...claimed, objective }
  if (claimed.status === 'open') return turn || claimed.quote === null ? withoutValue(own) : open
  if (!turn) return open
  const evidence = weigh(index, turn, scene)
  const value = valueOf(claimed, index, turn, scene)
  switch (claimed.status) {
    case 'refused':
      return evidence.status === 'met' && scene.reading.isRequest(index) ? open : withoutValue(own)
    case 'offered':
      return withValue({ ...own, offer: offerOf(claimed, evidence, turn, scene) }, value)
    case 'met':
      if (evidence.status === 'met') return withValue({ ...own, offer: null }, value)
      break
    case 'met_within_limits':
      if (evidence.status === 'met_within_limits')
        return withValue({ ...own, offer: offerOf(claimed, evidence, turn, scene) }, value)
      if (evidence.status === 'met') return withValue({ ...own, status: 'met', offer: null }, value)
  }
  if (evidence.status === 'open') return open
  return withValue({ ...own, status: evidence.status, offer: offerOf(claimed, evidence, turn, scene) }, value)
}

interface Evidence {
  readonly status: 'met' | 'met_within_limits' | 'offered' | 'open'
  readonly offer: string | null
}

const OPEN: Evidence = { status: 'open', offer: null }
const MET: Evidence = { status: 'met', offer: null }

function weigh(index: number, turn: HeardTurn, scene: Scene): Evidence {
  const { reading } = scene
  if (reading.isRule(index)) return ruleKept(turn, scene)
  const read = reading.answer(index, turn.text)
  return reading.isRequest(index) ? weighRequest(index, turn, read, scene) : weighTold(index, turn, read, scene)
}

/** "Do not accept another time" is kept where everything else was got by the words quoted. */
function ruleKept(turn: HeardTurn, scene: Scene): Evidence {
  const others = scene.objectives.flatMap((_, index) =>
    scene.reading.isRequest(index) && !scene.reading.isRule(index) ? [index] : [],
  )
  return others.some((index) => weigh(index, turn, scene).status !== 'open') ? MET : OPEN
}

function weighTold(index: number, turn: HeardTurn, read: AnswerRead, scene: Scene): Evidence {
  if (read.type === 'refuses') return OPEN
  const before = agentBefore(turn, scene.turns)[0] ?? ''
  const isAbout = scene.reading.isAskedIn(index, before) || scene.reading.isAskedIn(index, turn.text)
  if (read.type === 'offers' && read.permission === 'no') return { status: 'offered', offer: read.offer }
  const isTold = read.type === 'tells' || read.type === 'grants' || read.type === 'offers'
  if (!isTold && (read.asks || read.answers !== 'none' || turn.text.trim().split(/\s+/).length < 2)) return OPEN
  return isAbout || (read.type === 'tells' && scene.reading.valueIn(index, turn.text) !== null) ? MET : OPEN
}

function weighRequest(index: number, turn: HeardTurn, read: AnswerRead, scene: Scene): Evidence {
  const { reading } = scene
  switch (read.type) {
    case 'offers': {
      const offered: Evidence = { status: 'offered', offer: read.offer }
      if (read.permission === 'no' || !isAgreed(index, turn, scene)) return offered
      if (read.permission === 'within') return { status: 'met_within_limits', offer: read.offer }
      return isConfirmed(turn, scene) ? MET : offered
    }
    case 'grants':
      if (read.permission === 'no') return { status: 'offered', offer: read.offer }
      if (reading.isAskedIn(index, turn.text)) return MET
      return grantedBare(index, turn, scene)
    case 'unclear': {
      const plain = folded(turn.text)
      const isWilling =
        !read.asks &&
        !read.waits &&
        read.answers !== 'no' &&
        read.answers !== 'maybe' &&
        (DONE.test(plain) || WILLING.test(plain))
      if (!isWilling || reading.forbidden(turn.text).length > 0 || reading.asksFirst(index)) return OPEN
      return grantedBare(index, turn, scene)
    }
    case 'tells':
    case 'refuses':
      return OPEN
  }
}

/** A yes without a value grants what the agent had asked for. */
function grantedBare(index: number, turn: HeardTurn, scene: Scene): Evidence {
  const { reading, turns } = scene
  const asked = agentBefore(turn, turns)
  // A condition that was set just before still stands.
  const last = turns.findLast((other) => other.speaker === 'user' && other.index < turn.index)
  const before = last && reading.answer(index, last.text)
  if (before?.isConditional === true) return { status: 'offered', offer: before.offer }
  for (const [back, text] of asked.entries()) {
    // What the agent has left to the user is not granted by a yes.
    if (defers(text)) return OPEN
    const proposed = reading.proposed(index, text)
    if (proposed?.permission === 'no') return { status: 'offered', offer: proposed.offer }
    if (proposed?.permission === 'within') return { status: 'met_within_limits', offer: proposed.offer }
    // A yes some turns later may be about something else.
    if (reading.isAskedIn(index, text)) return back === 0 || DONE.test(folded(turn.text)) ? MET : OPEN
  }
  return OPEN
}

/** The agent's turns before one of the callee, the last first. */
function agentBefore(turn: HeardTurn, turns: readonly HeardTurn[]): string[] {
  const before = turns.filter(({ index }) => index < turn.index)
  const groups: string[] = []
  let isNew = true
  for (const { speaker, text } of before.toReversed()) {
    if (speaker === 'user') isNew = true
    else if (isNew) {
      groups.push(text)
      isNew = false
    } else groups[groups.length - 1] = `${text} ${groups.at(-1)}`
    if (groups.length > PRECEDING_MAX) break
  }
  return groups.slice(0, PRECEDING_MAX)
}

/** Nobody has taken it back, and the agent has not left it to the user, or has come back to it since. */
function isAgreed(index: number, turn: HeardTurn, { reading, turns, isOver }: Scene): boolean {
  const after = turns.filter((other) => other.index > turn.index)
  const agent = after.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text)
  if (isOver && agent.length === 0) return false
  const isBack = after.some(
    ({ speaker, text }) =>
      speaker === 'user' && reading.answer(index, text).type === 'refuses' && TAKEN_BACK.test(folded(text)),
  )
  const left = agent.findLastIndex((text) => defers(text))
  const resumed = agent.findLastIndex((text) => !defers(text) && isPermitted(reading.proposed(index, text)))
  return !isBack && left <= resumed
}

function isPermitted(proposed: ReturnType<OrderReading['proposed']>): boolean {
  return proposed !== null && proposed.permission !== 'no'
}

/** After the agent has named it, the callee said yes. */
function isConfirmed(turn: HeardTurn, { reading, turns }: Scene): boolean {
  const agent = turns.find(({ index, speaker }) => index > turn.index && speaker === 'agent')
  return turns.some(
    ({ index, speaker, text }) =>
      agent !== undefined && index > agent.index && speaker === 'user' && isYes(reading.answer(0, text), text),
  )
}

function isYes(read: AnswerRead, text: string): boolean {
  return read.answers === 'yes' || DONE.test(folded(text))
}

/** What is offered in the mind's words, where somebody said each of its numbers; else in those of the rules or the callee. */
function offerOf(claimed: Outcome, evidence: Evidence, turn: HeardTurn, { turns, objectives }: Scene): string {
  const claim = claimed.offer?.trim() ?? ''
  const heard = turns.filter(({ speaker, index }) => speaker === 'user' && index <= turn.index).map(({ text }) => text)
  const said = new Set([...heard, ...objectives, evidence.offer ?? ''].flatMap(numbersIn))
  const isSaid = claim !== '' && numbersIn(claim).every((number) => said.has(number))
  return isSaid ? claim : (evidence.offer ?? turn.text)
}

function numbersIn(text: string): string[] {
  return SPOKEN_LANGUAGES.flatMap((language) => withDigits(folded(text), language).match(/\d+/g) ?? [])
}

// Quotes

function quotedTurn({ quote, turn }: Outcome, turns: readonly HeardTurn[]): HeardTurn | null {
  if (quote === null || turn === null || wordsOf(quote) === '') return null
  const named = turns.find(({ index }) => index === turn)
  return named?.speaker === 'user' && stands(quote, named.text) ? named : null
}

/** Whether a quote stands in a text, whatever its case, punctuation and figures. */
function stands(quote: string, text: string): boolean {
  const variants = [
    wordsOf,
    ...SPOKEN_LANGUAGES.map((language) => (given: string) => wordsOf(withDigits(folded(given), language))),
  ]
  return variants.some((read) => ` ${read(text)} `.includes(` ${read(quote)} `))
}

function wordsOf(text: string): string {
  return (folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}

// Typed values

function valueOf(claimed: Outcome, index: number, turn: HeardTurn, { reading, turns }: Scene): OutcomeValue | null {
  const own = reading.valueIn(index, turn.text)
  // A bare yes agrees to what the agent had named.
  const read = own ?? reading.valueIn(index, `${agentBefore(turn, turns)[0] ?? ''} ${turn.text}`)
  const { value } = claimed
  if (value === undefined || value === null) return read
  switch (value.type) {
    case 'name':
      return stands(value.name, turn.text) ? value : read
    case 'reference':
      return compact(turn.text).some((said) => said.includes(compactOf(value.reference))) ? value : read
    case 'number':
      return numbersIn(turn.text).includes(String(value.number)) ? value : read
    case 'money':
      return read?.type === 'money' && read.amountCents === value.amountCents && read.currency === value.currency
        ? value
        : read
    case 'date':
    case 'date_time':
      return JSON.stringify(read) === JSON.stringify(value) ? value : read
  }
}

const compactOf = (text: string) => folded(text).replace(/[^\p{L}\p{N}]/gu, '')
const compact = (text: string) => [
  compactOf(text),
  ...SPOKEN_LANGUAGES.map((language) => compactOf(withDigits(folded(text), language))),
]

function withValue(outcome: Outcome, value: OutcomeValue | null): Outcome {
  return value === null ? withoutValue(outcome) : { ...outcome, value }
}

function withoutValue(outcome: Outcome): Outcome {
  const { objective, status, quote, turn, offer } = outcome
  return { objective, status, quote, turn, ...(offer !== undefined && { offer }) }
}
