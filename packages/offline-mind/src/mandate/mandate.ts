import type { CallOrder } from '@parley/contract'
import { sameValue, type Expecting, type Value } from '../hearing/extract.ts'
import { languageOf } from '../hearing/language.ts'
import { fold } from '../hearing/text.ts'
import type { Spoken } from '../memory.ts'
import { joined, NO_LIMITS, type Limits } from './limits.ts'
import { readContext } from './context.ts'
import { namedIn, readNote, readOrder, type Reading } from './reading.ts'
import { typedFor } from './typed.ts'
import { isRemoval } from './whole.ts'
import { LIMIT_WORDS } from './words.ts'

/** What may be agreed to for one topic. */
export interface Mandate {
  /** The values asked for. */
  readonly asked: readonly Value[]
  /** Limits of the order: purpose, objective, context. The strictest counts. */
  readonly ordered: readonly Limits[]
  /** Limits that the user set during the call, latest first; they override the order. */
  readonly said: readonly Limits[]
  /** Alternatives that may be proposed, best first. */
  readonly preferences: readonly (readonly Value[])[]
  /** A price is part of what was asked for. */
  readonly isPriced: boolean
  /** Times without am or pm are in the evening. */
  readonly isEvening: boolean
  readonly isSale: boolean
  /** Something is to be ended: an offer in its place never grants it. */
  readonly isRemoval: boolean
  /** The user wants to be asked: nothing is agreed to but what they said in mid-call. */
  readonly asksFirst: boolean
  /** Also welcome, in words without a number. */
  readonly things: readonly string[]
  /** The callee's day, as 2026-11-30; null where it is unknown. */
  readonly today: string | null
}

export interface Wished {
  readonly text: string
  readonly wants: readonly Value[]
  readonly expecting: Expecting
  /** The topic is the purpose itself. */
  readonly isPurpose: boolean
  /** The only topic of the order. */
  readonly isAlone: boolean
}

const EVENING =
  /\b(?:table|dinner|evening|tonight|restaurant|drinks?|cinema|theat(?:re|er)|concert|party|mesa|cena|tarde|diner|soir|tisch|abend(?:essen)?)\b/

export function spokenIn(text: string, order: Pick<CallOrder, 'language'>): Spoken {
  const base = order.language.toLowerCase().split('-')[0]
  return languageOf(text, base === 'es' || base === 'fr' || base === 'de' ? base : 'en')
}

export function mandateFor(
  order: Pick<CallOrder, 'purpose' | 'objectives' | 'context' | 'language' | 'mandates'>,
  steering: readonly string[],
  { text, wants, expecting, isPurpose, isAlone }: Wished,
  today: string | null = null,
): Mandate {
  const hint = orderHint(wants, expecting)
  const read = (one: string) => {
    const language = spokenIn(one, order)
    const own = readOrder(one, language, null).wants
    return readOrder(one, language, own.length === 0 ? hint : orderHint(own, expecting))
  }
  const own = isPurpose ? [] : [read(text)]
  const others = order.objectives.filter((objective) => objective !== text)
  const rules = others.map(read).filter(({ isRule }) => isRule)
  const barred = others.map((objective) => barredBy(objective, read(objective), spokenIn(objective, order), wants))
  const typed = typedFor(order, text, isPurpose, spokenIn(text, order))
  const worded = [...[...own, ...rules, read(order.purpose)].map(({ limits }) => limits), ...barred]
  const texts = typed.rule === null ? worded : [typed.limits, ...worded]
  const context = readContext(order.context, spokenIn(order.purpose, order), hint)
  const all = fold(`${text} ${order.purpose}`)
  const isPriced =
    isAlone ||
    expecting === 'money' ||
    [...wants, ...joined(texts).bounds.map(({ value }) => value)].some(({ type }) => type === 'money')
  return {
    asked: wants,
    ordered: [...texts.map((limits) => withoutDaypart(limits, wants)), isPriced ? context : withoutPrice(context)],
    said: steering.map((said) => readNote(said, spokenIn(said, order), hint)).toReversed(),
    preferences: typed.rule === 'exactly' || typed.rule === 'ask_me' ? [] : joined(texts).accepted,
    isPriced,
    isEvening: EVENING.test(all),
    isRemoval: isRemoval(fold(text).trim()),
    asksFirst: typed.rule === 'ask_me',
    things: typed.things,
    today,
    isSale: LIMIT_WORDS[spokenIn(order.purpose, order)].sells.test(all),
  }
}

/** Values that another objective forbids, doubts or claims: not for this topic alone to judge. */
function barredBy(objective: string, { limits, isRule }: Reading, language: Spoken, wants: readonly Value[]): Limits {
  const { refused, doubtful } = limits
  const claimed = isRule
    ? []
    : namedIn(objective, language).filter((value) => wants.every((want) => !sameValue(want, value)))
  const kinds = claimed.flatMap(({ type }) => (type === 'count' || type === 'digits' || type === 'name' ? [] : [type]))
  return { ...NO_LIMITS, refused, doubtful: [...doubtful, ...kinds] }
}

/** "On Friday evening" permits no other hour than the one asked for. */
function withoutDaypart(limits: Limits, wants: readonly Value[]): Limits {
  const hasTime = wants.some(({ type }) => type === 'time')
  return { ...limits, bounds: limits.bounds.filter(({ isDaypart }) => isDaypart !== true || !hasTime) }
}

/** A budget in the context applies to the main topic only. */
function withoutPrice(limits: Limits): Limits {
  return { ...limits, bounds: limits.bounds.filter(({ value }) => value.type !== 'money') }
}

/** The kind of a number without a unit in an order: that of the value named before it. */
export function orderHint(wants: readonly Value[], expecting: Expecting): Expecting {
  const kinds = ['money', 'percent', 'time', 'count'] as const
  return kinds.find((kind) => wants.some(({ type }) => type === kind)) ?? expecting
}

/** The kind of a number without a unit in an answer: that asked about. */
export function hintOf(wants: readonly Value[], expecting: Expecting): Expecting {
  const kinds = ['money', 'percent', 'time', 'count'] as const
  return expecting ?? kinds.find((kind) => wants.some(({ type }) => type === kind)) ?? null
}
