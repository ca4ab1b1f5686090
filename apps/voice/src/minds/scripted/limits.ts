import { extract, sameValue, type Value } from './hearing/extract.ts'
import { fold } from './hearing/text.ts'
import { knownFrom } from './knowledge.ts'
import type { Spoken } from './memory.ts'
import type { Topic } from './topic.ts'

/** How far the agent may go without asking the person behind the call. */
export interface Limits {
  readonly maxMoney: number | null
  readonly minPercent: number | null
  readonly latestMinutes: number | null
  readonly earliestMinutes: number | null
  readonly noAlternatives: boolean
  readonly accepted: readonly Value[]
  readonly refused: readonly Value[]
}

const NONE: Limits = {
  maxMoney: null,
  minPercent: null,
  latestMinutes: null,
  earliestMinutes: null,
  noAlternatives: false,
  accepted: [],
  refused: [],
}

/** From the context's entries and from what was added during the call; the later word counts. */
export function limitsFrom(context: Readonly<Record<string, unknown>>, steering: readonly string[], language: Spoken): Limits {
  const fromContext = knownFrom(context).map(({ key, value }) => fromEntry(key, value, language))
  return [...fromContext, ...steering.map((text) => fromText(text, language))].reduce(merge, NONE)
}

/** Does this sentence set a limit? Then it is kept and not passed on. */
export function setsLimit(text: string, language: Spoken): boolean {
  return JSON.stringify(fromText(text, language)) !== JSON.stringify(NONE)
}

function merge(a: Limits, b: Limits): Limits {
  return {
    maxMoney: b.maxMoney ?? a.maxMoney,
    minPercent: b.minPercent ?? a.minPercent,
    latestMinutes: b.latestMinutes ?? a.latestMinutes,
    earliestMinutes: b.earliestMinutes ?? a.earliestMinutes,
    noAlternatives: a.noAlternatives || b.noAlternatives,
    accepted: [...a.accepted, ...b.accepted],
    refused: [...a.refused, ...b.refused],
  }
}

function fromEntry(key: string, value: string, language: Spoken): Limits {
  if (/flexib|alternativ/.test(key)) {
    if (/^(?:no|none|false|never)\b/i.test(value)) return { ...NONE, noAlternatives: true }
    return { ...NONE, accepted: extract(value, language, 'time') }
  }
  if (/acceptable|also possible|second choice|fallback/.test(key)) return { ...NONE, accepted: extract(value, language, 'time') }
  if (/max|budget|limit|ceiling|up to/.test(key) && !/people|guests|minutes|distance/.test(key))
    return { ...NONE, maxMoney: moneyIn(value, language) }
  if (/min\w* discount|discount min|lowest discount/.test(key)) return { ...NONE, minPercent: percentIn(value, language) }
  if (/latest|no later|not after/.test(key)) return { ...NONE, latestMinutes: timeIn(value, language) }
  if (/earliest|not before|no earlier/.test(key)) return { ...NONE, earliestMinutes: timeIn(value, language) }
  return fromText(value, language)
}

function fromText(text: string, language: Spoken): Limits {
  const words = fold(text)
  const limits: { -readonly [K in keyof Limits]: Limits[K] } = { ...NONE }
  const values = extract(text, language)
  if (
    /\b(?:do not|don't|no|never|not) (?:accept |agree to |take |allow )?(?:any |other )?(?:alternatives?|other (?:day|date|time)s?|anything else)\b|\b(?:must be|has to be|only) (?:on |at )?(?:mon|tues|wednes|thurs|fri|satur|sun)day/.test(
      words,
    )
  )
    limits.noAlternatives = true
  if (/\b(?:up to|max(?:imum)?|at most|(?:no|not) (?:more|higher) than|as high as|as much as|budget|limit)\b/.test(words))
    limits.maxMoney = moneyIn(text, language)
  if (/\bat least\b|\bminimum\b/.test(words)) limits.minPercent = values.find((value) => value.type === 'percent')?.percent ?? null
  if (/\b(?:not? later than|at the latest|latest|not after)\b/.test(words)) limits.latestMinutes = timeIn(text, language)
  if (/\b(?:not? earlier than|at the earliest|earliest|not before)\b/.test(words)) limits.earliestMinutes = timeIn(text, language)
  if (
    /\b(?:not|n't|no|never|avoid)\b/.test(words) &&
    limits.latestMinutes === null &&
    limits.earliestMinutes === null &&
    limits.maxMoney === null
  ) {
    limits.refused = values.filter(({ type }) => type === 'date' || type === 'time')
  } else if (
    /\b(?:accept|take|agree to|settle for|also works?|is (?:also )?(?:fine|ok|okay|good|acceptable)|are (?:also )?(?:fine|ok|okay|good))\b/.test(
      words,
    )
  ) {
    limits.accepted = values
  }
  return limits
}

function moneyIn(text: string, language: Spoken): number | null {
  return extract(text, language, 'money').find((value) => value.type === 'money')?.amount ?? null
}

function percentIn(text: string, language: Spoken): number | null {
  return extract(text, language, 'percent').find((value) => value.type === 'percent')?.percent ?? null
}

/** A limit in the day is nearly always in its second half when nobody says which. */
function timeIn(text: string, language: Spoken): number | null {
  const time = extract(text, language, 'time').find((value) => value.type === 'time')
  if (time === undefined) return null
  return time.exact || time.minutes >= 720 || time.minutes < 60 ? time.minutes : time.minutes + 720
}

export type Permission = 'yes' | 'no' | 'push'

/** May the agent agree? push: not before asking for something better. */
export function permits(limits: Limits, topic: Topic, offered: readonly Value[], pushed: boolean): Permission {
  if (offered.some((value) => limits.refused.some((refused) => sameValue(refused, value)))) return 'no'
  if (offered.length > 0 && offered.every((value) => limits.accepted.some((accepted) => sameValue(accepted, value)))) return 'yes'
  if (limits.noAlternatives) return 'no'
  const verdicts = offered.map((value) => permitsValue(limits, topic, value, pushed))
  return verdicts.find((verdict) => verdict === 'no') ?? verdicts.find((verdict) => verdict === 'push') ?? 'yes'
}

function permitsValue(limits: Limits, topic: Topic, value: Value, pushed: boolean): Permission {
  switch (value.type) {
    case 'time':
      if (limits.latestMinutes !== null && value.minutes > limits.latestMinutes) return 'no'
      return limits.earliestMinutes !== null && value.minutes < limits.earliestMinutes ? 'no' : 'yes'
    case 'money':
      return permitsMoney(limits, topic, value.amount, pushed)
    case 'percent': {
      if (limits.minPercent !== null && value.percent < limits.minPercent) return pushed ? 'no' : 'push'
      const wanted = topic.wants.find(({ type }) => type === 'percent')
      return wanted?.type === 'percent' && value.percent < wanted.percent && !pushed && limits.minPercent === null ? 'push' : 'yes'
    }
    case 'count': {
      const wanted = topic.wants.find((want) => want.type === 'count' && (want.unit === value.unit || value.unit === ''))
      return wanted?.type === 'count' && wanted.count !== value.count ? (pushed ? 'no' : 'push') : 'yes'
    }
    case 'date':
    case 'digits':
    case 'name':
      return 'yes'
  }
}

function permitsMoney(limits: Limits, topic: Topic, amount: number, pushed: boolean): Permission {
  const wanted = topic.wants.find(({ type }) => type === 'money')
  if (wanted?.type === 'money' && amount <= wanted.amount) return 'yes'
  if (wanted === undefined && topic.expecting !== 'money') return 'no'
  if (limits.maxMoney !== null) return amount <= limits.maxMoney ? 'yes' : pushed ? 'no' : 'push'
  return wanted === undefined || pushed ? 'no' : 'push'
}
