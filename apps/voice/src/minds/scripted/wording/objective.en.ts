import type { Tone } from '@parley/contract'
import { extract, type Expecting } from '../hearing/extract.ts'
import { capitalize, fill, shorten, wordCount, withoutFinalStop } from '../hearing/text.ts'
import type { Topic, TopicKind } from '../topic.ts'
import { english } from './en.ts'
import {
  asDirectQuestion,
  isAmenity,
  isFavour,
  isInformation,
  isPolarQuestion,
  isQuestion,
  lowerFirst,
  onBehalf,
  personToCallee,
  startsWithVerb,
  towardsCallee,
  withArticle,
  withObject,
} from './english-grammar.ts'
import { inTone, type Frames } from './phrasebook.ts'

type Asking = Pick<Topic, 'kind' | 'question' | 'subject'>
interface Speaker {
  readonly tone: Tone
  readonly owner: string
}

const OBJECTIVE_WORDS = 20

/** Turns what the person wrote into what is asked on the phone. */
export function englishTopic(text: string, speaker: Speaker): Topic {
  const asking = ask(cleaned(text), speaker)
  return { text, ...asking, expecting: expectingOf(asking.subject + ' ' + asking.question), wants: extract(text, 'en') }
}

function cleaned(text: string): string {
  const short = withoutFinalStop(
    text
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/^(?:[-*•]|\d+[.)])\s+/, ''),
  )
  return shorten(short, OBJECTIVE_WORDS).replace(
    /^(?:please|kindly|try to|attempt to|make sure to|be sure to|(?:you )?(?:should|must|need to))\s+/i,
    '',
  )
}

/** The first rule that fits decides; the last one always does. */
function ask(text: string, speaker: Speaker): Asking {
  return (
    question(text, speaker) ??
    message(text, speaker) ??
    confirmation(text, speaker) ??
    inquiry(text, speaker) ??
    favour(text, speaker) ??
    thing(text, speaker)
  )
}

function frame(name: keyof Frames, x: string, speaker: Speaker): string {
  return fill(inTone(english.ask[name], speaker.tone), { x })
}

function question(text: string, speaker: Speaker): Asking | null {
  if (!isQuestion(text)) return null
  const turned = text
    .replace(/^Do I\b/i, `Does ${speaker.owner}`)
    .replace(/^Am I\b/i, `Is ${speaker.owner}`)
    .replace(/^Have I\b/i, `Has ${speaker.owner}`)
  const asked = capitalize(onBehalf(towardsCallee(turned), speaker.owner).replace(/\?*$/, '?'))
  const kind: TopicKind = !isPolarQuestion(text) ? 'information' : isFavour(text) ? 'request' : 'polar'
  return { kind, question: asked, subject: withoutFinalStop(lowerFirst(asked).replace(/\?$/, '')) }
}

const TELL = /^(?:tell|inform|notify|let|advise|warn|alert) (?:them|him|her|the \w+|\w+)(?: know)?(?: that| about| of)? (.+)$/i
const REMIND = /^remind (?:them|him|her|the \w+|you|[A-Z]\w+(?: [A-Z]\w+)?|\w+)(?: again)? (?:(about|of|that|to) )?(.+)$/i
const WISH = /^wish (?:them|him|her|the \w+|\w+) (.+)$/i
const THANK = /^thank (?:them|him|her|the \w+|\w+)(?: (for|that) (.+))?$/i
const INVITE = /^invite (?:them|him|her|the \w+|\w+) (?:to|for) (.+)$/i
const OFFER = /^offer (?:them|him|her|the \w+) (.+)$/i

function message(text: string, speaker: Speaker): Asking | null {
  const { owner } = speaker
  const remind = REMIND.exec(text)
  if (remind !== null) {
    const rest = onBehalf(personToCallee(remind[2] ?? ''), owner)
    const link = remind[1] ?? 'about'
    const fits = /appointment|meeting|booking|reservation|visit|session|interview|delivery/i.test(rest)
      ? ` ${inTone(english.ask.stillFits, speaker.tone)}`
      : ' Is that all right?'
    return {
      kind: 'message',
      question: `I'd like to remind you ${link} ${yours(rest, link)}.${fits}`,
      subject: `the reminder ${link === 'to' || link === 'that' ? link : 'about'} ${remind[2] ?? ''}`,
    }
  }
  const wish = WISH.exec(text)
  if (wish !== null) return { kind: 'message', question: `${owner} wishes you ${wish[1]}!`, subject: `the wish of ${wish[1]}` }
  const thank = THANK.exec(text)
  if (thank !== null) {
    const what = thank[2] === undefined ? 'everything' : personToCallee(thank[2])
    return { kind: 'message', question: `${owner} would like to thank you for ${what}.`, subject: `thanks for ${what}` }
  }
  const invite = INVITE.exec(text)
  if (invite !== null) {
    const what = onBehalf(personToCallee(invite[1] ?? ''), owner)
    return {
      kind: 'request',
      question: `${owner} would like to invite you to ${what}. Would you like to come?`,
      subject: `the invitation to ${what}`,
    }
  }
  const offer = OFFER.exec(text)
  if (offer !== null) {
    const what = onBehalf(offer[1] ?? '', owner)
    return { kind: 'request', question: `We would like to offer you ${what}. Would you be interested?`, subject: `the offer of ${what}` }
  }
  const tell = TELL.exec(text)
  if (tell === null || /^(?:let|tell) (?:me|us)\b/i.test(text)) return null
  const what = onBehalf(personToCallee(tell[1] ?? ''), owner)
  const about = /(?: about| of) /i.test(text.slice(0, text.length - (tell[1]?.length ?? 0)))
  const said = about ? `I'd like to let you know about ${what}` : `I'd like to let you know that ${what}`
  return {
    kind: 'message',
    question: fill(inTone(english.ask.let, speaker.tone), { x: said }),
    subject: `the message${about ? ' about' : ' that'} ${tell[1] ?? ''}`,
  }
}

function yours(rest: string, link: string): string {
  if (link === 'to' || link === 'that') return rest
  return /^(?:your|the|a|an|our|\S+'s)\b/i.test(rest) ? rest.replace(/^(?:the|a|an) (?=.*appointment)/i, 'your ') : `your ${rest}`
}

function confirmation(text: string, speaker: Speaker): Asking | null {
  const match = /^(?:confirm|verify|double[- ]check|make sure|ensure|reconfirm)(?: (?:with (?:them|him|her)))? (.+)$/i.exec(text)
  if (match === null) return null
  const rest = onBehalf(towardsCallee(match[1] ?? ''), speaker.owner)
  const clause = /^(?:if|whether) (.+)$/i.exec(rest)
  if (clause !== null) return polar(clause[1] ?? '', speaker)
  const that = /^(?:that )?((?:they|you|he|she|it|there|we|the \w+|everything|\S+) (?:is|are|will|can|has|have|was|were) .+)$/i.exec(rest)
  const x = that === null ? confirmed(rest) : `that ${that[1]}`
  return { kind: 'confirmation', question: frame('confirm', x, speaker), subject: x }
}

function confirmed(rest: string): string {
  return /^(?:that|what|when|where|how|who|which)\b/i.test(rest) ? rest : withArticle(rest, true)
}

const FIND_OUT =
  /^(?:find out|ask(?: (?:them|him|her|you))?|inquire|enquire|check(?: with (?:them|him|her))?|learn|determine|figure out|see|know|get to know|query|clarify|establish|hear)(?: from (?:them|him|her))?(?: about| on| regarding)? (.+)$/i
const GET = /^(?:get|obtain|receive|collect|gather|ask(?: (?:them|him|her))? for|request|have)(?: (?:me|us))? (.+)$/i

function inquiry(text: string, speaker: Speaker): Asking | null {
  const forThing = GET.exec(text)
  if (forThing !== null) return wanted(forThing[1] ?? '', speaker)
  const match = FIND_OUT.exec(text)
  if (match === null) return null
  const rest = towardsCallee(match[1] ?? '')
  const clause = /^(?:if|whether(?: or not)?) (.+)$/i.exec(rest)
  if (clause !== null) return polar(clause[1] ?? '', speaker)
  const doing = /^(?:to|them to|him to|her to|you to) (.+)$/i.exec(rest)
  if (doing !== null && /^ask/i.test(text))
    return action(/^ask (?:them|him|her) to/i.test(text) ? `you ${doing[1]}` : (doing[1] ?? ''), speaker)
  const x = onBehalf(/^(?:what|when|where|how|who|which|why)\b/i.test(rest) ? lowerFirst(rest) : aboutThing(text, rest), speaker.owner)
  return { kind: 'information', question: frame('tell', x, speaker), subject: x.replace(/^about /, '') }
}

function aboutThing(text: string, rest: string): string {
  const thing = withArticle(rest, isInformation(rest))
  return /\b(?:about|on|regarding) /i.test(text.slice(0, text.length - rest.length)) && !isInformation(rest) ? `about ${thing}` : thing
}

function wanted(rest: string, speaker: Speaker): Asking {
  const thing = onBehalf(towardsCallee(rest), speaker.owner)
  if (/^(?:if|whether) /i.test(thing)) return polar(thing.replace(/^\w+ /, ''), speaker)
  if (isInformation(thing)) {
    const x = withArticle(thing, !/^(?:quote|estimate)/i.test(thing))
    const given = /quote|estimate/i.test(thing)
    return { kind: 'information', question: given ? `Could you give me ${x}?` : frame('tell', x, speaker), subject: x }
  }
  const x = withArticle(thing)
  return { kind: 'request', question: frame('possible', x, speaker), subject: x }
}

function polar(clause: string, speaker: Speaker): Asking {
  const spoken = onBehalf(towardsCallee(clause), speaker.owner)
  const direct = asDirectQuestion(clause.replace(/\btheir\b/gi, 'your').replace(/\bthem\b/gi, 'you'))
  const asked = direct === null ? frame('tell', `whether ${spoken}`, speaker) : onBehalf(direct, speaker.owner)
  return {
    kind: isFavour(direct ?? '') || /^(?:it is|it's|it would be) possible/i.test(clause) ? 'request' : 'polar',
    question: asked,
    subject: `whether ${clause}`,
  }
}

function favour(text: string, speaker: Speaker): Asking | null {
  const negotiate = /^(?:negotiate|bargain for|haggle for)(?: (?:for|on|about))? (.+)$/i.exec(text)
  if (negotiate !== null) return wanted((negotiate[1] ?? '').replace(/^(?:the )?(?:price|rate)s? (?:down )?to /i, 'a price of '), speaker)
  return startsWithVerb(text) ? action(lowerFirst(text), speaker) : null
}

function action(text: string, speaker: Speaker): Asking {
  const x = withObject(onBehalf(towardsCallee(text), speaker.owner))
  const asked = /^you /i.test(x) ? `Could ${x}?` : frame('doable', x, speaker)
  return { kind: 'request', question: asked, subject: nounOf(x) }
}

const MADE: readonly (readonly [RegExp, string])[] = [
  [/^(?:you )?(?:book|reserve|schedule|arrange|order|buy|get|make|secure|request|set up|rent|organi[sz]e|purchase) /i, ''],
  [/^(?:you )?cancel /i, 'cancelling '],
  [/^(?:you )?reschedule /i, 'rescheduling '],
  [/^(?:you )?(?:change|amend|modify) /i, 'changing '],
  [/^(?:you )?move /i, 'moving '],
]

/** "book a table for four" → "a table for four", for the recap. */
export function nounOf(action: string): string {
  const made = MADE.find(([pattern]) => pattern.test(action))
  return made === undefined ? action : action.replace(made[0], made[1])
}

const WHEN =
  /^(?:at |on |by |around |for )?(?:\d{1,2}(?::\d{2})?\s?(?:am|pm|o'clock)\b|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|noon|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d)/i
const LIMIT = /^(?:under|below|less than|no more than|not more than|at most|max(?:imum)?(?: of)?|up to|cheaper than) (.+)$/i

function thing(text: string, speaker: Speaker): Asking {
  const x = onBehalf(towardsCallee(text), speaker.owner)
  if (WHEN.test(x)) {
    const when = lowerFirst(x).replace(/^(?:at|on|by|for) /i, '')
    return { kind: 'request', question: frame('suits', when, speaker), subject: when }
  }
  const limit = LIMIT.exec(x)
  if (limit !== null)
    return { kind: 'request', question: `Would it be possible to keep it under ${limit[1]}?`, subject: `a price under ${limit[1]}` }
  if (isInformation(x))
    return { kind: 'information', question: frame('tell', withArticle(x, true), speaker), subject: withArticle(x, true) }
  if (isAmenity(x)) return { kind: 'polar', question: frame('have', lowerFirst(x), speaker), subject: lowerFirst(x) }
  const named = withArticle(x)
  const sentence = wordCount(x) > 4 && /\b(?:is|are|was|were|will|want|wants|would|should|needs?|must)\b/i.test(x)
  if (sentence) return { kind: 'request', question: frame('quoted', x, speaker), subject: lowerFirst(x) }
  return { kind: 'request', question: frame('possible', named, speaker), subject: named }
}

export function expectingOf(text: string): Expecting {
  if (/\b(?:price|cost|costs|rate|fee|charge|how much|budget|pay|per night|[$€£]|euros?|dollars?)\b|[$€£]/i.test(text)) return 'money'
  if (/\b(?:discount|percent)\b|%/i.test(text)) return 'percent'
  if (
    /\b(?:hours|time|when|what day|date|opening|table|appointment|reservation|booking|slot|pm|am|o'clock|how soon|deadline)\b/i.test(text)
  )
    return 'time'
  if (/\b(?:how many|how long|scale|from (?:1|one|0|zero) to|rate|rating|score|number of)\b/i.test(text)) return 'count'
  return null
}
