import type { Spoken } from '../memory.ts'
import { INTENTS, NEEDS, type Intent, type Lexicon, type Need } from './lexicon.ts'
import { LEXICONS } from './lexicons.ts'
import { isPostponed } from './postponed.ts'
import { fold, plain } from './text.ts'

export type Answer = 'yes' | 'no' | 'maybe' | 'none'

export interface Understanding {
  readonly text: string
  readonly plain: string
  readonly intents: ReadonlySet<Intent>
  readonly needs: readonly Need[]
  readonly answer: Answer
  /** Asks for time and says nothing else: "sure, let me look". */
  readonly waits: boolean
  /** A yes with a condition: "yes, but only until nine". */
  readonly conditional: boolean
  readonly question: boolean
  /** Words with content. */
  readonly content: readonly string[]
}

/** The meaning of an utterance, independent of the question. Pure; never throws. */
export function understand(text: string, language: Spoken): Understanding {
  const lexicon = LEXICONS[language]
  const words = plain(text)
  const intents = intentsIn(words, lexicon)
  const question = segmentsOf(text).some((segment) => isQuestion(segment, lexicon))
  const meant = withoutFinishedHold(intents, words, lexicon)
  const waits = meant.has('hold') && isPostponed(text, lexicon)
  return {
    text,
    plain: words,
    intents: meant,
    needs: NEEDS.filter((need) => lexicon.needs[need].test(words)),
    answer: waits ? 'none' : answerIn(statementsIn(text, lexicon), lexicon),
    waits,
    conditional: lexicon.condition.test(words),
    question,
    content: contentOf(words, lexicon),
  }
}

function segmentsOf(text: string): string[] {
  return text.match(/[^.!?;]+[.!?;]*/g) ?? []
}

function isQuestion(segment: string, lexicon: Lexicon): boolean {
  if (segment.trim().endsWith('?')) return true
  return lexicon.question.test(fold(segment).trim()) && lexicon.friendlyNo.exec(plain(segment))?.index !== 0
}

/** The statements without the questions: "yes, is that okay?" → "yes". */
function statementsIn(text: string, lexicon: Lexicon): string {
  const stated = segmentsOf(text).map((segment) =>
    isQuestion(segment, lexicon) ? beforeQuestion(segment, lexicon) : plain(segment),
  )
  return stated.join(' ').replace(/\s+/g, ' ').trim()
}

function beforeQuestion(segment: string, lexicon: Lexicon): string {
  const clauses = segment.split(',')
  const asked = clauses.findIndex(
    (clause, index) => index === clauses.length - 1 || lexicon.question.test(fold(clause).trim()),
  )
  const before = plain(clauses.slice(0, asked).join(', '))
  const words = plain(clauses[asked] ?? '')
  const lead = [lexicon.yes, lexicon.no].map((pattern) => pattern.exec(words)).find((match) => match?.index === 0)?.[0]
  const asksAfterLead = lead !== undefined && lexicon.question.test(words.slice(lead.length).trim())
  return asksAfterLead ? `${before} ${lead}`.trim() : before
}

function contentOf(words: string, lexicon: Lexicon): string[] {
  const said = [lexicon.friendlyNo, lexicon.yes, lexicon.intents.thanks, lexicon.intents.greeting].reduce(
    (rest, pattern) => rest.replace(new RegExp(pattern, 'gu'), ' '),
    words,
  )
  return said
    .split(' ')
    .filter((word) => word !== '' && !lexicon.filler.has(word) && lexicon.no.exec(word)?.[0] !== word)
}

function intentsIn(words: string, lexicon: Lexicon): Set<Intent> {
  return new Set(
    INTENTS.filter((intent) => {
      const decoy = lexicon.notIntents[intent]
      const cleaned =
        decoy === undefined ? words : words.replace(new RegExp(decoy, 'gu'), ' ').replace(/\s+/g, ' ').trim()
      return lexicon.intents[intent].test(cleaned)
    }),
  )
}

const ASKED_WHILE_WAITING: readonly Intent[] = [
  'who_is_this',
  'why_calling',
  'are_you_robot',
  'where_number',
  'is_it_recorded',
]

/** "Let me check... yes, seven is free": the wait ends within the utterance. */
function withoutFinishedHold(intents: Set<Intent>, words: string, lexicon: Lexicon): Set<Intent> {
  if (!intents.has('hold')) return intents
  const last = [...words.matchAll(new RegExp(lexicon.intents.hold, 'gu'))].at(-1)
  const after = last === undefined ? '' : words.slice(last.index + last[0].length).trim()
  if (after === '') return intents
  const asks =
    NEEDS.some((need) => lexicon.needs[need].test(after)) ||
    ASKED_WHILE_WAITING.some((intent) => lexicon.intents[intent].test(after))
  const answers = /^(?:ok|okay|please|sir|madam)$/.test(after)
    ? false
    : answerIn(after, lexicon) !== 'none' && !/^(?:if|whether|for|what|the|that|with|in|on|si|ob|wenn)\b/.test(after)
  if (asks || answers) intents.delete('hold')
  return intents
}

/** "No, that is the best I can do" promises nothing. */
const UTMOST =
  /\b(?:the )?(?:best|most|all|lowest|only thing) (?:that )?(?:i|we|they) can (?:do|offer|give|manage)(?: you)?\b/g

/**
 * Yes or no, as a listener would take it: an impossibility outweighs a polite yes, and "no problem" is no no. With both
 * said, the later word counts.
 */
function answerIn(words: string, lexicon: Lexicon): Answer {
  if (lexicon.greetings.test(words)) return 'none'
  const friendly = lexicon.friendlyNo.test(words)
  const rest = words.replace(new RegExp(lexicon.friendlyNo, 'gu'), ' ').replace(UTMOST, ' ').replace(/\s+/g, ' ').trim()
  if (lexicon.impossible.test(rest)) return 'no'
  const maybe = lexicon.maybe.exec(rest)
  const no = lastMatch(rest, lexicon.no)
  const yes = lastMatch(rest, lexicon.yes)
  if (maybe !== null && (no <= yes || maybe.index < no)) return 'maybe'
  if (no >= 0 && (no > yes || turnsAfterNo(rest, no, lexicon))) return 'no'
  return yes >= 0 || friendly ? 'yes' : 'none'
}

/** "No, but eight is free" refuses; "we don't usually, but yes" does not. */
function turnsAfterNo(words: string, no: number, lexicon: Lexicon): boolean {
  const turn = lexicon.joiner.exec(words)
  if (turn === null || turn.index < no) return false
  const after = words.slice(turn.index + turn[0].length).trim()
  return !/^(?:yes|yeah|sure|okay|ok|si|vale|oui|ja)\b/.test(after)
}

function lastMatch(words: string, pattern: RegExp): number {
  return [...words.matchAll(new RegExp(pattern, 'gu'))].at(-1)?.index ?? -1
}
