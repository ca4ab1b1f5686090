import { remembered } from '@parley/voice-ports'
import { extract, type Expecting, type Value } from '../hearing/extract.ts'
import { fold } from '../hearing/text.ts'
import type { Spoken } from '../memory.ts'
import { boundsIn, countable, NEAR_MINUTES, shifted } from './bounds.ts'
import { isUnlimited, joined, NO_LIMITS, type Bound, type Kind, type Limits } from './limits.ts'
import { without } from './remainder.ts'
import {
  EVERYTHING,
  isAboutValue,
  isComplement,
  isExclusion,
  isFailing,
  isRange,
  isRemoval,
  isWhole,
  restrictionAt,
  touchedBy,
} from './whole.ts'
import { LIMIT_WORDS, type LimitWords } from './words.ts'

/** The request in one text of an order, and its limits. */
export interface Reading {
  /** The request without alternatives, which are kept from the callee. */
  readonly asked: string
  /** The values asked for. */
  readonly wants: readonly Value[]
  readonly limits: Limits
  /** Only a limit for the agent. */
  readonly isRule: boolean
}

interface Clause {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly limits: Limits
  readonly wants: readonly Value[]
  /** Kept from the callee. */
  readonly cut: boolean
  /** The request follows it: "if they cannot come, another day". */
  readonly isLead?: true
}

interface Manner {
  readonly language: Spoken
  /** Kind of a number without a unit. */
  readonly hint: Expecting
  /** A note is about limits from its first word; an order begins with its request. */
  readonly isNote: boolean
}

/** Reads a purpose or an objective. */
export const readOrder = remembered((text, language: Spoken, hint: Expecting): Reading => {
  const clauses = clausesIn(text, { language, hint, isNote: false })
  const isRule = clauses.length > 0 && clauses.every(({ cut }) => cut)
  return {
    asked: isRule
      ? text
      : without(text, clauses)
          .replace(new RegExp(`,? ?(?:${LIMIT_WORDS[language].preferring.source})`, 'i'), ' ')
          .replace(/\s+/g, ' ')
          .trim(),
    wants: afterMove(text, language, clauses),
    limits: joined(clauses.map(({ limits }) => limits)),
    isRule,
  }
})

/** Values that an objective for something else mentions: permissions for them are for the user to weigh. */
export function namedIn(text: string, language: Spoken): readonly Value[] {
  return (ASKS.test(fold(text).trim()) && restrictionAt(fold(text).trim(), language) !== 0) || text.trim().endsWith('?')
    ? []
    : countable(fold(text), language, null)
}

/** Reads a note of the context, or an instruction during the call. */
export const readNote = remembered((text, language: Spoken, hint: Expecting): Limits =>
  joined(clausesIn(text, { language, hint, isNote: true }).map(({ limits }) => limits)),
)

function clausesIn(text: string, manner: Manner): Clause[] {
  const { splits } = LIMIT_WORDS[manner.language]
  const asksIf = !manner.isNote && ASKS.test(fold(text).trim())
  const ends = [...text.matchAll(splits)]
    .map(({ index, 0: gap }) => [index, index + gap.length] as const)
    .filter(
      ([index, end]) => !asksIf || text.slice(index, end).trim() !== '' || !/^(?:if|si|ob)\b/i.test(text.slice(end)),
    )
  const starts = [0, ...ends.map(([, end]) => end)]
  const found: Clause[] = []
  let failing: Clause | null = null
  for (const [at, start] of starts.entries()) {
    const end = ends[at]?.[0] ?? text.length
    const clause = readClause(text.slice(start, end), start, end, manner, found, failing !== null)
    if (clause === null) continue
    if (clause === 'failing') {
      failing = { start, end, text: '', limits: NO_LIMITS, wants: [], cut: true }
      continue
    }
    // "If that is not possible" belongs to the clause after it.
    if (failing !== null) found.push({ ...failing, cut: clause.cut })
    failing = null
    found.push(clause)
  }
  return found
}

const ASKS =
  /^(?:please )?(?:confirm|check|ask|find|make sure|see if|verify|whether|if they|is|are|would|can|could|do(?! not)|does|tell|remind|let|preguntar|averiguar|consultar|confirmar|demander|savoir|verifier|fragen)\b/

function readClause(
  text: string,
  start: number,
  end: number,
  manner: Manner,
  before: readonly Clause[],
  isAfterFailing: boolean,
): Clause | 'failing' | null {
  const { language, hint, isNote } = manner
  const words = LIMIT_WORDS[language]
  let said = fold(text)
    .trim()
    .replace(/[.!,]+$/, '')
  if (/^(?:but|and|or|pero|y|o|mais|et|ou|aber|und|oder)?$/.test(said)) return null
  const named = words.failing.exec(said)
  const after = named === null ? '' : said.slice(named[0].length).replace(/^[ ,:]+/, '')
  const isAlone =
    isWhole(after, language, hint) ||
    firmIn(after, words).length > 0 ||
    boundsIn(after, language, hint).bounds.length > 0
  const failing = named !== null && isFailing(named[0], language) && isAlone ? named : null
  if (failing !== null) {
    said = after
    if (said === '') return 'failing'
  }
  const isMain =
    !isNote && failing === null && !isAfterFailing && before.every(({ cut, isLead }) => cut || isLead === true)
  if (isMain && isRemoval(said)) return { start, end, text, limits: NO_LIMITS, wants: [], cut: false }
  const of = (limits: Limits, wants: readonly Value[] = [], cut = !isUnlimited(limits)): Clause => ({
    start,
    end,
    text,
    limits,
    wants,
    cut,
  })
  const isAsking = ASKS.test(said) && !/^(?:please )?(?:ask|check with) (?:me|us)\b/.test(said)
  if (isMain && (isAsking || text.trim().endsWith('?'))) {
    const asks = of(NO_LIMITS, countable(said, language, null), false)
    return LEADS.test(said) ? { ...asks, isLead: true } : asks
  }
  if (isNote && ASKS.test(said) && restrictionAt(said, language) < 0) return of(NO_LIMITS, [], false)
  if (isMain && LEADS.test(said)) return { ...of({ ...NO_LIMITS, ...doubt(said, 0, manner) }, [], false), isLead: true }
  const beside = besideWanted(said, words, before)
  if (beside !== null) return of(beside)
  const isOther = failing !== null || isAfterFailing || words.alternative.test(said)
  return isMain
    ? mainClause(said, manner, of)
    : sideClause(said, manner, of, before, isOther, failing !== null || isAfterFailing)
}

/** Begins words for the agent alone: "at 7 pm, not a minute later". */
const EXCLUDES = /[\s,]+(?:(?:and|but) )?(?:not|never|except|unless|other than|but not|anything but)\b.*$/i
const FORBIDS = /^(?:but |and )?(?:never|not|no|nothing|nunca|no|pas|jamais|nie|nicht|kein\w*)\b/

const LEADS = /^(?:if|in case|when|si|cuando|quand|wenn|falls)\b/

type Made = (limits: Limits, wants?: readonly Value[], cut?: boolean) => Clause

/** The main clause, which may contain its own bounds: "a table between 7 and 8", "a price below 120 dollars". */
function mainClause(said: string, manner: Manner, of: Made): Clause {
  const { language, hint } = manner
  const words = LIMIT_WORDS[language]
  const firm = firmIn(said, words)
  const whole = isRange(said, language, null) ? { bounds: [], rest: said } : boundsIn(positive(said), language, hint)
  const barred = restrictionAt(
    whole.rest.replace(words.only, (only) => ' '.repeat(only.length)),
    language,
  )
  const [bounds, rest] = barred < 0 ? [whole.bounds, whole.rest] : [[], whole.rest.slice(0, barred)]
  const wants = countable(rest, language, null)
  if (firm.length > 0 && wants.length === 0 && (bounds.length === 0 || firm.length === EVERYTHING.length))
    return of({ ...NO_LIMITS, firm, ...doubt(said, barred, manner) })
  if (isAboutValue(said, language, hint)) {
    const isLeave = words.fine.test(said) && isWhole(said, language, hint)
    return isLeave
      ? of({ ...NO_LIMITS, accepted: [countable(said, language, hint)] })
      : of({ ...NO_LIMITS, refused: countable(said, language, hint), ...doubt(said, 0, manner) })
  }
  if (barred >= 0) {
    const limits = {
      ...NO_LIMITS,
      firm,
      refused: countable(whole.rest.slice(barred), language, hint),
      ...doubt(said, barred, manner),
    }
    const clause = of(limits, wants, wants.length === 0 && barred === 0 && limits.doubtful.length < EVERYTHING.length)
    const excluded = wants.length === 0 ? -1 : clause.text.search(EXCLUDES)
    return excluded > 0 ? { ...clause, end: clause.start + excluded } : clause
  }
  // "Never after 8" asks for nothing, "no more than 120 dollars" for a price.
  if (
    wants.length === 0 &&
    FORBIDS.test(said) &&
    bounds.length > 0 &&
    bounds.every(({ value }) => value.type !== 'money')
  )
    return of({ ...NO_LIMITS, firm, bounds })
  const only = words.only.test(said) ? onlyThese(wants, bounds) : []
  const hasTime = wants.some(({ type }) => type === 'time') || bounds.some(({ value }) => value.type === 'time')
  const daypart = hasTime ? [] : daypartIn(said, words).map((bound): Bound => ({ ...bound, isDaypart: true }))
  return of(
    {
      ...NO_LIMITS,
      firm: [...firm, ...only],
      bounds: [...bounds, ...daypart],
      free: daypart.length > 0 ? [] : freeIn(said, words),
    },
    wants,
    false,
  )
}

/** Marks everything a clause mentions as doubtful when it was not wholly understood. */
function doubt(said: string, barred: number, { language, hint }: Manner): Pick<Limits, 'doubtful'> {
  return { doubtful: barred < 0 ? [] : touchedBy(said, countable(said, language, hint), language) }
}

/** "But 8:30 is fine" grants it; "but 8:30" may exclude it. */
const TURN = /^(?:but|pero|mais|aber)\b ?/

/** A side clause: a permission if wholly understood, otherwise a reason to ask the user. */
function sideClause(
  said: string,
  manner: Manner,
  of: Made,
  before: readonly Clause[],
  isOther: boolean,
  isFallback: boolean,
): Clause {
  const { language, hint } = manner
  const { bounds, rest } = boundsIn(positive(said), language, hint)
  const firm = firmIn(said, LIMIT_WORDS[language])
  if (firm.length > 0 && bounds.length === 0) return of({ ...NO_LIMITS, firm })
  if (isExclusion(said, language, hint)) return of({ ...NO_LIMITS, refused: countable(said, language, hint) })
  const isTurn = bounds.length > 0 || LIMIT_WORDS[language].fine.test(said)
  if (isWhole(isTurn ? rest.replace(TURN, '') : rest, language, hint))
    return grantingClause(said, manner, of, before, isOther, isFallback)
  const values = countable(said, language, hint)
  if (!isOther && bounds.length === 0 && isComplement(said, language, hint))
    return of(NO_LIMITS, countable(rest, language, null), false)
  const doubtful = touchedBy(said, values, language)
  return of(
    { ...NO_LIMITS, firm, doubtful, refused: restrictionAt(said, language) < 0 ? [] : values },
    [],
    doubtful.length > 0,
  )
}

function grantingClause(
  said: string,
  { language, hint, isNote }: Manner,
  of: Made,
  before: readonly Clause[],
  isOther: boolean,
  isFallback: boolean,
): Clause {
  const words = LIMIT_WORDS[language]
  const { bounds, rest } = boundsIn(positive(said), language, hint)
  const values = countable(rest.replace(words.preferring, ''), language, isNote || isOther ? hint : null)
  const open = freeIn(said, words)
  const daypart = open.includes('time') || isOther ? daypartIn(said, words) : []
  const free = daypart.length > 0 ? open.filter((kind) => kind !== 'time') : open
  const limits = { ...NO_LIMITS, free, bounds: [...bounds, ...daypart] }
  if (words.only.test(said) && values.length > 0)
    return of({ ...limits, firm: onlyThese(values, bounds) }, values, isNote)
  if (values.length === 0 || words.preferring.test(said))
    return of(
      limits,
      values,
      values.length === 0 && (isUnlimited(limits) ? !isComplement(said, language, hint) : isKept(limits, said, before)),
    )
  const isListed = before.at(-1)?.limits.accepted.length === 1 && before.at(-1)?.wants.length === 0
  const seen = new Set(
    [
      ...before.flatMap(({ wants }) => wants),
      ...before.flatMap(({ limits: other }) => other.bounds.map(({ value }) => value)),
    ].map(({ type }) => type),
  )
  const others =
    isFallback || isListed || words.fine.test(said)
      ? values
      : isOther
        ? values.filter(({ type }) => seen.has(type))
        : []
  const wanted = values.filter((value) => !others.includes(value))
  // "At 7 pm, or 8:30 on Saturday": the day may belong to one or both.
  if (isOther && others.length > 0 && wanted.length > 0)
    return of({ ...limits, doubtful: touchedBy('', others, language) }, wanted, false)
  return of(
    { ...limits, accepted: others.length === 0 ? [] : [others] },
    wanted,
    wanted.length === 0 && !isUnlimited({ ...limits, accepted: [others] }),
  )
}

/** A maximum price is told to the callee when no other price is; later times and alternatives are not. */
function isKept({ bounds, firm, free }: Limits, said: string, before: readonly Clause[]): boolean {
  if (firm.length > 0 || free.length > 0 || /^(?:or|o|ou|oder)\b/.test(said)) return true
  const wanted = before.flatMap(({ wants }) => wants.map(({ type }) => type))
  return bounds.some(({ value: { type } }) => (type !== 'money' && type !== 'percent') || wanted.includes(type))
}

/** "I will not pay more than 130" means "no more than 130". */
function positive(said: string): string {
  return said.replace(
    /\b(?:(?:i|we|you) )?(?:do not|don't|never|will not|won't|would not|wouldn't|cannot|can't) (?:want to |be able to )?(?:accept|take|book|agree to|go|pay|spend) (?:anything |a time |times |a price |prices )?(?=(?:later|after|more|over|above|higher|earlier|before|less|under|below|sooner)\b)/,
    'no ',
  )
}

function firmIn(said: string, words: LimitWords): Kind[] {
  if (positive(said) !== said) return []
  return words.firm.find(([pattern]) => pattern.test(said))?.[1].slice() ?? []
}

function freeIn(said: string, words: LimitWords): Kind[] {
  return words.free.flatMap(([pattern, kinds]) => (pattern.test(said) ? kinds : []))
}

function onlyThese(values: readonly Value[], bounds: readonly Bound[]): Kind[] {
  const bounded = bounds.map(({ value }) => value.type)
  const kinds = values.map(({ type }) => type).filter((type) => !bounded.includes(type))
  return kinds.filter((kind): kind is Kind & Value['type'] => kind !== 'digits' && kind !== 'name')
}

function daypartIn(said: string, words: LimitWords): Bound[] {
  const daypart = words.dayparts.find(([pattern]) => pattern.test(said))
  if (daypart === undefined) return []
  const at = (hours: number): Value => ({ type: 'time', minutes: hours * 60, exact: true })
  return [
    { side: 'least', strict: false, value: at(daypart[1]) },
    { side: 'most', strict: false, value: at(daypart[2]) },
  ]
}

/** "Or a bit later", relative to the value asked for. */
function besideWanted(said: string, words: LimitWords, before: readonly Clause[]): Limits | null {
  const [later, earlier] = [words.orLater.exec(said), words.orEarlier.exec(said)]
  const match = later ?? earlier
  const wanted = before
    .flatMap(({ wants }) => wants)
    .findLast(({ type }) => type === 'time' || type === 'money' || type === 'count')
  if (match === null || wanted === undefined) return null
  const side = later === null ? 'most' : 'least'
  const near: Bound[] =
    match[1] === undefined || wanted.type !== 'time'
      ? []
      : [
          {
            side: later === null ? 'least' : 'most',
            strict: false,
            value: shifted(wanted, later === null ? -NEAR_MINUTES : NEAR_MINUTES),
          },
        ]
  return { ...NO_LIMITS, bounds: [{ side, strict: false, value: wanted }, ...near] }
}

/** A move asks for what follows its last "to"; the rest is the present state. */
function afterMove(text: string, language: Spoken, clauses: readonly Clause[]): Value[] {
  const words = LIMIT_WORDS[language]
  return clauses.flatMap((clause) => {
    if (!words.moves.test(fold(clause.text))) return clause.wants
    const targets = [...fold(clause.text).matchAll(new RegExp(words.target, 'g'))]
    const { wants } = clause
    for (const { index, 0: word } of targets.toReversed()) {
      const moved = extract(fold(clause.text).slice(index + word.length), language).map(({ type }) => type)
      const affected = wants.filter(({ type }) => moved.includes(type))
      const after = affected.slice(-moved.length)
      if (moved.length > 0 && affected.length > after.length)
        return [...wants.filter(({ type }) => !moved.includes(type)), ...after]
    }
    return wants
  })
}
