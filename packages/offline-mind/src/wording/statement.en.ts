import { capitalize, plain, withoutFinalStop } from '../hearing/text.ts'
import type { Asking, Speaker } from '../topic.ts'
import { lowerFirst, onBehalf, startsWithVerb, towardsCallee } from './english-grammar.ts'

// A statement to bring about or confirm: "they will be there", "breakfast is included", "there are vegetarian dishes".

interface Statement {
  readonly subject: string
  readonly verb: string
  readonly rest: string
}

const PRONOUN = 'they|you|he|she|it|this|everything|everybody|everyone|nobody|there'
const NOUN = String.raw`(?:(?:the|a|an|your|their|his|her|all|no|free)\s)?[\p{L}\d'’-]+(?:\s[\p{L}\d'’-]+){0,5}?`
const TO_BE = 'is|are|was|were'
const MODAL = 'will|can|could|would'
const ALONE =
  'costs|includes|starts|begins|ends|opens|closes|comes|lasts|covers|allows|accepts|contains|arrives|leaves|has|offers'
const OF_MANY =
  'have|offer|accept|take|serve|allow|sell|deliver|provide|need|speak|work|open|close|know|agree|come|start'
const STATEMENT = new RegExp(
  String.raw`^(?:(?<subject>(?:${PRONOUN})|${NOUN}) (?<verb>${TO_BE}|${MODAL}|${ALONE})|(?<many>they|you) (?<plain>${OF_MANY})) (?<rest>.+)$`,
  'iu',
)
/** Beginnings that are no subject; a subject with its own clause is no plain statement either. */
const NO_SUBJECT =
  /^(?:what|when|where|how|who|which|why|whether|if|that|not|never|at|on|by|for|in|with|without|to|about|i|we|my|our|one of)\b/i
const CLAUSE_INSIDE = /\b(?:that|which|who|whose|where|when|whether|if|because|and|or|to)\b|,/i
const NOUN_GOES_ON = /^(?:of|for|per|and|or)\b/i
const DONE =
  /^(?:\w+ly )?(?!interested|supposed|allowed|permitted|closed|satisfied|pleased|needed|required|united)(?:\w+ed|sent|made|paid|given|kept|held|put|taken|done|brought)\b/i
const DENYING = /n't$|^(?:not|no|never|cannot|nobody|nothing|without|doubt|unless|unlikely)$/
const DENIED = /^(?:not|no|never|cannot)\b/i

/** Whether the text states something, rather than asks or names it. */
export function isStatement(text: string): boolean {
  return splitStatement(withoutFinalStop(text)) !== null
}

/** Whether an utterance repeats what is asked, as in "I will be there". */
export function echoes(text: string, utterance: string): boolean {
  const said = plain(utterance).split(' ')
  const claim = plain(splitStatement(withoutFinalStop(text))?.rest ?? '').split(' ')
  return claim.every((word) => word !== '' && said.includes(word)) && !said.some((word) => DENYING.test(word))
}

/** Words the question whether it is so, or the request that it be done. */
export function statement(text: string, { owner }: Speaker, confirm: (x: string) => string): Asking | null {
  const found = splitStatement(text)
  if (found === null) return null
  const spoken = (words: string): string => onBehalf(towardsCallee(words), owner)
  const subject = spoken(/^(?:they|he|she)$/i.test(found.subject) ? 'you' : lowerFirst(found.subject))
  const [verb, rest] = [found.verb.toLowerCase(), spoken(found.rest)]
  const said = lowerFirst(spoken(text))
  if (DENIED.test(rest))
    return { kind: 'confirmation', question: confirm(`that ${said}`), subject: said, isClaim: true }
  if (/^(?:is|are)$/.test(verb) && subject !== 'you' && subject !== 'there' && DONE.test(rest))
    return { kind: 'request', question: `Could ${subject} be ${rest}?`, subject: said }
  return { kind: 'confirmation', question: `${asked(subject, verb, rest)}?`, subject: said, isClaim: true }
}

function asked(subject: string, verb: string, rest: string): string {
  if (new RegExp(`^(?:${MODAL})$`).test(verb)) return `${capitalize(verb)} ${subject} ${rest}`
  if (new RegExp(`^(?:${TO_BE})$`).test(verb))
    return `${capitalize(subject === 'you' && verb === 'is' ? 'are' : verb)} ${subject} ${rest}`
  if (subject === 'you') return `Do you ${infinitive(verb)} ${rest}`
  return `Does ${subject} ${infinitive(verb)} ${rest}`
}

function infinitive(verb: string): string {
  return verb === 'has' ? 'have' : verb.replace(/s$/, '')
}

function splitStatement(text: string): Statement | null {
  if (NO_SUBJECT.test(text) || text.endsWith('?') || startsWithVerb(text)) return null
  const groups = STATEMENT.exec(text)?.groups
  const { subject = groups?.['many'], verb = groups?.['plain'], rest } = groups ?? {}
  if (subject === undefined || verb === undefined || rest === undefined) return null
  const doubtful = new RegExp(`^(?:${ALONE})$`, 'i').test(verb) && NOUN_GOES_ON.test(rest)
  return doubtful || CLAUSE_INSIDE.test(subject) ? null : { subject, verb, rest }
}
