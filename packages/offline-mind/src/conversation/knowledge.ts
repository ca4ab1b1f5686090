import { isMet, isPrivateName } from '@parley/contract'
import { knownFrom, type Known } from './context-entries.ts'
import { extract, sayValue, type ValueType } from '../hearing/extract.ts'
import type { Need } from '../hearing/lexicon.ts'
import { shorten } from '../hearing/text.ts'
import type { Talk } from './talk.ts'

const VALUE_WORDS_MAX = 12
/** Never said to the callee: what the user is ready to pay or accept, and notes for the agent. */
export const STRATEGY =
  /\b(?:max|maximum|min|minimum|limit|budget|ceiling|floor|instructions?|prompt|strategy|notes?|comments?|flexib\w*|alternatives?|acceptable|latest|earliest|walk away)\b/

function speakable(talk: Talk): Known[] {
  const told = Object.entries(talk.memory.facts).map(([key, value]) => ({
    key,
    value,
    isMarked: false,
    isCleared: true,
  }))
  return [...told, ...knownFrom(talk.order.context)].filter(
    ({ key, value, isMarked, isCleared }) =>
      !isMarked && !STRATEGY.test(key) && !isPrivateName(key, isCleared) && value.trim() !== '',
  )
}

const KEYS: Readonly<Record<Exclude<Need, 'payment' | 'budget'>, RegExp>> = {
  name: /^(?:(?:booking|reservation|guest|customer|client|patient|caller|contact|full|user|my|person|order|traveller|traveler) )*name$/,
  phone: /\b(?:phone|mobile|cell|telephone|tel|callback|call back|contact number)\b/,
  email: /\be ?mail\b/,
  people:
    /\b(?:party size|partysize|party|people|persons|guests|adults|covers|group size|number of (?:people|guests|persons))\b/,
  birthdate: /\b(?:birth ?date|date of birth|birthday|dob|born)\b/,
  reference:
    /\b(?:reference|ref|(?:booking|reservation|confirmation|order|customer|account|case|member|membership|policy|insurance|patient|ticket) (?:number|no|code|id|ref|reference))\b/,
  address: /\b(?:address|street|postcode|zip)\b/,
  date: /^(?!.*birth)(?:.* )?(?:date|day)$/,
  time: /(?:^| )time$/,
}

/** What the order says about a need; from the context, the purpose and the objectives. */
export function answerTo(talk: Talk, need: Need): string | null {
  if (need === 'payment' || need === 'budget') return null
  const known = speakable(talk)
  const entry = known.find(({ key }) => KEYS[need].test(key))
  if (entry !== undefined) return shorten(entry.value, VALUE_WORDS_MAX)
  if (need === 'name') return fullName(known) ?? talk.owner
  if (need === 'people') return fromOrder(talk, 'count')
  if (need === 'date') return fromOrder(talk, 'date')
  if (need === 'time') return fromOrder(talk, 'time')
  return null
}

function fullName(known: readonly Known[]): string | null {
  const valueFor = (pattern: RegExp): string | undefined => known.find(({ key }) => pattern.test(key))?.value
  const first = valueFor(/\b(?:first|given) ?name$/)
  const last = valueFor(/\b(?:last|family|sur) ?name$/)
  return last === undefined ? (first ?? null) : [first, last].filter(Boolean).join(' ')
}

/** An agreed value comes before a wanted one. */
function fromOrder(talk: Talk, type: ValueType): string | null {
  const agreed = talk.memory.topics.flatMap(({ result, status }) =>
    status !== 'waiting' && isMet({ status }) && result !== null ? [result] : [],
  )
  const asked = talk.topics.map(({ text }) => text)
  for (const text of [...agreed, ...asked, talk.order.purpose]) {
    const value = extract(text, talk.memory.language).find(
      (found) => found.type === type && (found.type !== 'count' || found.unit === 'people'),
    )
    if (value !== undefined) return sayValue(value, talk.memory.language)
  }
  return null
}

const COMMON = new Set(
  'what which when where who whom how your their his her the does have has been about there with that this please tell give know need would could should will they you are is for and any name number'.split(
    ' ',
  ),
)

/** A context entry that a question is about: "what insurance does she have?" */
export function factAbout(talk: Talk, content: readonly string[]): Known | null {
  const asked = new Set(content.map(stem).filter((word) => word.length > 2 && !COMMON.has(word)))
  const scored = speakable(talk).map((entry) => {
    const words = entry.key
      .split(' ')
      .map(stem)
      .filter((word) => !COMMON.has(word))
    const shared = words.filter((word) => asked.has(word)).length
    return { entry, share: words.length === 0 ? 0 : shared / words.length }
  })
  const best = scored.toSorted((a, b) => b.share - a.share)[0]
  if (best === undefined || best.share < 0.5) return null
  return { ...best.entry, value: shorten(best.entry.value, VALUE_WORDS_MAX) }
}

function stem(word: string): string {
  return word.replace(/(?:ies)$/, 'y').replace(/(?<=\w{3})s$/, '')
}
