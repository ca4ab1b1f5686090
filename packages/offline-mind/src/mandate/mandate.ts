import type { CallOrder } from '@parley/contract'
import { sameValue, type Expecting, type Value } from '../hearing/extract.ts'
import { languageOf } from '../hearing/language.ts'
import { fold } from '../hearing/text.ts'
import type { Spoken } from '../memory.ts'
import { joined, NO_LIMITS, type Limits } from './limits.ts'
import { readContext } from './context.ts'
import { namedIn, readNote, readOrder, type Reading } from './reading.ts'
import { isRemoval } from './whole.ts'
import { LIMIT_WORDS } from './words.ts'

/** What may be agreed to for one thing that was asked for. */
export interface Mandate {
  /** Just this. */
  readonly asked: readonly Value[]
  /** What the order says: the purpose, the objective, the context. The stricter counts. */
  readonly ordered: readonly Limits[]
  /** What the person said during the call, the latest first: it counts before the order. */
  readonly said: readonly Limits[]
  /** What may be proposed in place of what was asked, the better first. */
  readonly preferences: readonly (readonly Value[])[]
  /** A price is part of what was asked for. */
  readonly isPriced: boolean
  /** A time without its half of the day is one of the evening. */
  readonly isEvening: boolean
  readonly isSale: boolean
  /** Something is to be ended: what is offered in its place never grants it. */
  readonly isRemoval: boolean
}

export interface Wished {
  readonly text: string
  readonly wants: readonly Value[]
  readonly expecting: Expecting
  /** The purpose itself, where it is asked for. */
  readonly isPurpose: boolean
  /** Nothing else is asked for in the order. */
  readonly isAlone: boolean
}

const EVENING =
  /\b(?:table|dinner|evening|tonight|restaurant|drinks?|cinema|theat(?:re|er)|concert|party|mesa|cena|tarde|diner|soir|tisch|abend(?:essen)?)\b/

export function spokenIn(text: string, order: Pick<CallOrder, 'language'>): Spoken {
  const base = order.language.toLowerCase().split('-')[0]
  return languageOf(text, base === 'es' || base === 'fr' || base === 'de' ? base : 'en')
}

export function mandateFor(
  order: Pick<CallOrder, 'purpose' | 'objectives' | 'context' | 'language'>,
  steering: readonly string[],
  { text, wants, expecting, isPurpose, isAlone }: Wished,
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
  const texts = [...[...own, ...rules, read(order.purpose)].map(({ limits }) => limits), ...barred]
  const context = readContext(order.context, spokenIn(order.purpose, order), hint)
  const all = fold(`${text} ${order.purpose}`)
  const isPriced =
    isAlone ||
    expecting === 'money' ||
    [...wants, ...joined(texts).bounds.map(({ value }) => value)].some(({ type }) => type === 'money')
  return {
    asked: wants,
    ordered: [...texts.map((limits) => withoutPart(limits, wants)), isPriced ? context : withoutPrice(context)],
    said: steering.map((said) => readNote(said, spokenIn(said, order), hint)).toReversed(),
    preferences: joined(texts).accepted,
    isPriced,
    isEvening: EVENING.test(all),
    isRemoval: isRemoval(fold(text).trim()),
    isSale: LIMIT_WORDS[spokenIn(order.purpose, order)].sells.test(all),
  }
}

/** What another objective forbids, doubts or claims for itself is not for this one alone to judge. */
function barredBy(objective: string, { limits, isRule }: Reading, language: Spoken, wants: readonly Value[]): Limits {
  const { refused, doubtful } = limits
  const claimed = isRule
    ? []
    : namedIn(objective, language).filter((value) => wants.every((want) => !sameValue(want, value)))
  const kinds = claimed.flatMap(({ type }) => (type === 'count' || type === 'digits' || type === 'name' ? [] : [type]))
  return { ...NO_LIMITS, refused, doubtful: [...doubtful, ...kinds] }
}

/** "On Friday evening" is no leave for another hour than the one that was asked for. */
function withoutPart(limits: Limits, wants: readonly Value[]): Limits {
  const hasTime = wants.some(({ type }) => type === 'time')
  return { ...limits, bounds: limits.bounds.filter(({ isPart }) => isPart !== true || !hasTime) }
}

/** A budget in the context is for the thing itself, not for what else is asked for in the same call. */
function withoutPrice(limits: Limits): Limits {
  return { ...limits, bounds: limits.bounds.filter(({ value }) => value.type !== 'money') }
}

/** In an order it is of the kind that was named before it. */
export function orderHint(wants: readonly Value[], expecting: Expecting): Expecting {
  const kinds = ['money', 'percent', 'time', 'count'] as const
  return kinds.find((kind) => wants.some(({ type }) => type === kind)) ?? expecting
}

/** A number without a unit is of the kind that was asked about. */
export function hintOf(wants: readonly Value[], expecting: Expecting): Expecting {
  const kinds = ['money', 'percent', 'time', 'count'] as const
  return expecting ?? kinds.find((kind) => wants.some(({ type }) => type === kind)) ?? null
}
