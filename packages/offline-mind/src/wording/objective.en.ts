import { extract, type Expecting } from '../hearing/extract.ts'
import { capitalize, fill, shorten, wordCount, withoutFinalStop } from '../hearing/text.ts'
import type { Asking, Speaker, Topic, TopicKind } from '../topic.ts'
import { calleeUnnamed } from './callee.en.ts'
import { english } from './en.ts'
import {
  asDirectQuestion,
  isAmenity,
  isFavour,
  isImperative,
  isIndirectQuestion,
  isInformation,
  isPolarQuestion,
  isQuestion,
  lowerFirst,
  onBehalf,
  startsWithVerb,
  towardsCallee,
  withArticle,
  withObject,
} from './english-grammar.ts'
import { message } from './message.en.ts'
import { inTone, type Frames } from './phrasebook.ts'
import { statement } from './statement.en.ts'

const OBJECTIVE_WORDS = 20

/** Words an objective as a question on the phone. */
export function englishTopic(text: string, speaker: Speaker): Topic {
  return topicFrom(
    text,
    conditional(cleaned(text), speaker) ?? stated(cleaned(text), speaker) ?? ask(cleaned(text), speaker),
  )
}

/** Words a purpose as a topic: a statement in it is a reason to call, not a question. */
export function purposeTopic(text: string, speaker: Speaker): Topic {
  return topicFrom(text, ask(cleaned(text), speaker))
}

function topicFrom(text: string, asking: Asking): Topic {
  return {
    text,
    language: 'en',
    ...asking,
    expecting: expectingOf(asking.subject + ' ' + asking.question),
    wants: extract(text, 'en'),
  }
}

function stated(text: string, speaker: Speaker): Asking | null {
  return statement(text, speaker, (x) => frame('confirm', x, speaker))
}

/** "If they cannot come, another day that suits them": the question comes after its condition. */
function conditional(text: string, speaker: Speaker): Asking | null {
  const match = /^(if|in case|when) ([^,]+), (?:then )?(.+)$/i.exec(text)
  if (match === null) return null
  const [, word = '', condition = '', wanted = ''] = match
  const asking = stated(wanted, speaker) ?? ask(wanted, speaker)
  if (asking.question === '' || /[.!?] /.test(asking.question)) return null
  const under = onBehalf(towardsCallee(condition), speaker.owner)
  return { ...asking, question: `${capitalize(word)} ${under}, ${lowerFirst(asking.question)}` }
}

function cleaned(text: string): string {
  const short = withoutFinalStop(
    text
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/^(?:[-*•]|\d+[.)])\s+/, ''),
  )
  const core = short
    .replace(/^(?:i|we)(?:'d like| would like| want| need| wish)(?: (?:to (?=\w)|(?=an?\b|the\b|some\b|\d)))/i, '')
    .trim()
    .replace(/^(ask|check|find out|inquire|enquire|confirm|mention|request) (?:also|too) /i, '$1 ')
    .replace(/^(?:also|and|then),? (?=\w)/i, '')
    .replace(/,? (?:as well|too)$/i, '')
    .replace(
      /^(?:please|kindly|try to|attempt to|make sure to|be sure to|(?:you )?(?:should|must|need to)(?! be\b))\s+/i,
      '',
    )
  return shorten(calleeUnnamed(core), OBJECTIVE_WORDS)
}

/** The first rule that fits decides; the last one always fits. */
function ask(text: string, speaker: Speaker): Asking {
  return (
    rule(text) ??
    question(text, speaker) ??
    message(text, speaker) ??
    negotiation(text, speaker) ??
    wish(text, speaker) ??
    confirmation(text, speaker) ??
    inquiry(text, speaker) ??
    favour(text, speaker) ??
    thing(text, speaker)
  )
}

function frame(name: keyof Frames, x: string, speaker: Speaker): string {
  return fill(inTone(english.ask[name], speaker.tone), { x })
}

/** "Don't mention the price" is for the agent, not for the callee. */
function rule(text: string): Asking | null {
  return /^(?:do not|don't|never|avoid|refrain from)\b/i.test(text) && !text.trim().endsWith('?')
    ? { kind: 'request', question: '', subject: lowerFirst(text) }
    : null
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

function confirmation(text: string, speaker: Speaker): Asking | null {
  const match =
    /^(?:confirm|verify|double[- ]check|make sure|ensure|reconfirm)(?: (?:with (?:them|him|her)))? (.+)$/i.exec(text)
  if (match === null) return null
  const rest = onBehalf(towardsCallee(match[1] ?? ''), speaker.owner)
  const clause = /^(?:if|whether) (.+)$/i.exec(match[1] ?? '')
  if (clause !== null) return polar(clause[1] ?? '', speaker)
  const that =
    /^(?:that )?((?:they|you|he|she|it|there|we|the \w+|everything|\S+) (?:is|are|will|can|has|have|was|were) .+)$/i.exec(
      rest,
    )
  const x = that === null ? confirmed(rest) : `that ${that[1]}`
  return { kind: 'confirmation', question: frame('confirm', x, speaker), subject: x }
}

function confirmed(rest: string): string {
  return /^(?:that|what|when|where|how|who|which)\b/i.test(rest) ? rest : withArticle(rest, true)
}

const FIND_OUT =
  /^(?:find out|ask(?: (?:them|him|her|you))?|inquire|enquire|check(?! (?:in|up|out)\b)(?: with (?:them|him|her))?|learn|determine|figure out|see|know|get to know|query|clarify|establish|hear)(?: from (?:them|him|her))?(?: about| on| regarding)? (.+)$/i
const GET = /^(?:get|obtain|receive|collect|gather|ask(?: (?:them|him|her))? for|request|have)(?: (?:me|us))? (.+)$/i

function inquiry(text: string, speaker: Speaker): Asking | null {
  const forThing = GET.exec(text)
  if (forThing !== null) return wanted(forThing[1] ?? '', speaker)
  const whether = /^(?:whether(?: or not)?|if) ([^,]+)$/i.exec(text)
  if (whether !== null) return polar(whether[1] ?? '', speaker)
  const match = FIND_OUT.exec(isIndirectQuestion(text) ? `find out ${text}` : text)
  if (match === null) return null
  const rest = towardsCallee(match[1] ?? '')
  const clause = /^(?:if|whether(?: or not)?) (.+)$/i.exec(match[1] ?? '')
  if (clause !== null) return polar(clause[1] ?? '', speaker)
  const doing = /^(?:to|them to|him to|her to|you to) (.+)$/i.exec(rest)
  if (doing !== null && /^ask/i.test(text))
    return action(/^ask (?:them|him|her) to/i.test(text) ? `you ${doing[1]}` : (doing[1] ?? ''), speaker)
  const x = onBehalf(
    /^(?:what|when|where|how|who|which|why)\b/i.test(rest) ? lowerFirst(rest) : aboutThing(text, rest),
    speaker.owner,
  )
  // The user refers to the callee as "they".
  const subject = /^(?:what|when|where|how|who|which|why)\b/i.test(rest)
    ? lowerFirst(match[1] ?? '')
    : x.replace(/^about /, '')
  return { kind: 'information', question: frame('tell', x, speaker), subject }
}

function aboutThing(text: string, rest: string): string {
  const thing = withArticle(rest, isInformation(rest))
  return /\b(?:about|on|regarding) /i.test(text.slice(0, text.length - rest.length)) && !isInformation(rest)
    ? `about ${thing}`
    : thing
}

function wanted(rest: string, speaker: Speaker): Asking {
  const thing = onBehalf(towardsCallee(rest), speaker.owner)
  const opinion =
    /^(?:(?:some|any|your|the|their|honest|quick) )*(?:feedback|opinions?|thoughts?|views?) (?:on|about|regarding|of) (.+)$/i.exec(
      thing,
    )
  if (opinion !== null) return opinionOn(opinion[1] ?? '')
  if (/^(?:if|whether) /i.test(thing)) return polar(thing.replace(/^\w+ /, ''), speaker)
  if (isTold(thing)) {
    const x = withArticle(thing, !/^(?:quote|estimate)/i.test(thing))
    const given = /quote|estimate/i.test(thing)
    return { kind: 'information', question: given ? `Could you give me ${x}?` : frame('tell', x, speaker), subject: x }
  }
  return possible(withArticle(thing), speaker)
}

const CHEAPER =
  /\b(?:lower|better|cheaper|reduced|discounted|smaller|special) (?:\w+ )?(?:price|rate|fee|cost|charge|deal|tariff)s?\b/i
const ANY_TIME = /\b(?:any|some|another|whatever|every) (?:\w+ )?(?:time|date|day|hour)s?\b/i

/** "The price of a room" is told; a named or lower price, or a time, is requested. */
function isTold(noun: string): boolean {
  const isNamed = extract(noun, 'en').some(({ type }) => type === 'money' || type === 'percent')
  return isInformation(noun) && !isNamed && !CHEAPER.test(noun) && !ANY_TIME.test(noun)
}

function opinionOn(what: string): Asking {
  return {
    kind: 'information',
    question: `What do you think about ${withArticle(what)}?`,
    subject: `opinion on ${what}`,
  }
}

function possible(x: string, speaker: Speaker): Asking {
  const question = /\bpossible\b/i.test(x) ? `Could we have ${x}?` : frame('possible', x, speaker)
  return { kind: 'request', question, subject: x }
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
  const survey = /^(?:survey|interview|ask|poll) (?:\w+ ){0,3}?(?:about|on|regarding) ((?:our|the|my|their) .+)$/i.exec(
    text,
  )
  if (survey !== null && /^(?:survey|interview|poll)/i.test(text))
    return opinionOn(onBehalf(towardsCallee(survey[1] ?? ''), speaker.owner))
  if (/^check (?:in|up) on\b/i.test(text))
    return { kind: 'information', question: 'How are you doing?', subject: 'how things are going' }
  return startsWithVerb(text) || isImperative(text) ? action(lowerFirst(text), speaker) : null
}

const BETTER = /\b(?:lower|better|best|cheaper|reduced|discount\w*|free|\d+)\b/i

/** "Negotiate a lower price", "bargain for the room rate", "negotiate the price down to 100 euros". */
function negotiation(text: string, speaker: Speaker): Asking | null {
  const match = /^(?:negotiate|bargain|haggle)(?: (?:for|on|about|over|with \w+ (?:for|on|about)))? (.+)$/i.exec(text)
  if (match === null) return null
  const thing = onBehalf(towardsCallee(match[1] ?? ''), speaker.owner).replace(
    /^(?:the )?(price|rate)s? (?:down )?to /i,
    'a $1 of ',
  )
  if (BETTER.test(thing)) return possible(withArticle(thing), speaker)
  const x = withArticle(thing, true)
  return {
    kind: 'request',
    question: `Is there any flexibility on ${x}?`,
    subject: x.replace(/^the /, 'flexibility on the '),
  }
}

/** "They should deliver before noon", "must be on the ground floor", "no onions", "interest in a demo". */
function wish(text: string, speaker: Speaker): Asking | null {
  const spoken = onBehalf(towardsCallee(text), speaker.owner)
  const should = /^you (?:should|must|need to|have to|ought to) (.+)$/i.exec(spoken)
  if (should !== null) return action(`you ${should[1]}`, speaker)
  const must = /^(?:(?:it|this|the \w+) )?(?:must|should|has to|needs to|ought to) be (.+)$/i.exec(spoken)
  if (must !== null) return { kind: 'request', question: `Could it be ${must[1]}?`, subject: must[1] ?? '' }
  const without = /^no (?!more than|less than|later than|earlier than)(.+)$/i.exec(spoken)
  if (without !== null)
    return { kind: 'request', question: `Would it be possible without ${without[1]}?`, subject: `no ${without[1]}` }
  const interest = /^(?:gauge |check |find out about )?(?:your )?interest in (.+)$/i.exec(spoken)
  if (interest !== null)
    return {
      kind: 'polar',
      question: `Would you be interested in ${interest[1]}?`,
      subject: `interest in ${interest[1]}`,
    }
  return null
}

function action(text: string, speaker: Speaker): Asking {
  const x = withObject(onBehalf(towardsCallee(text), speaker.owner))
  const asked = /^you /i.test(x) ? `Could ${x}?` : frame('doable', x, speaker)
  return { kind: 'request', question: asked, subject: nounOf(x).replace(/^you /, '') }
}

const MADE: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:you )?(?:book|reserve|schedule|arrange|order|buy|get|make|secure|request|set up|rent|organi[sz]e|purchase) /i,
    '',
  ],
  [/^(?:you )?(?:agree on|settle on|set|fix|find) /i, ''],
  [/^(?:you )?cancel /i, 'cancelling '],
  [/^(?:you )?reschedule /i, 'rescheduling '],
  [/^(?:you )?(?:change|amend|modify) /i, 'changing '],
  [/^(?:you )?move /i, 'moving '],
  [/^(?:you )?(?:reduce|lower|decrease|cut|drop|slash|bring down|knock down) /i, 'lowering '],
]

/** "book a table for four" → "a table for four", for the recap. */
export function nounOf(action: string): string {
  const made = MADE.find(([pattern]) => pattern.test(action))
  return made === undefined ? action : action.replace(made[0], made[1])
}

const WHEN =
  /^(?:at |on |by |around |for )?(?:\d{1,2}(?::\d{2})?\s?(?:am|pm|o'clock)\b|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|noon|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d)/i
const LIMIT =
  /^(?:under|below|less than|no more than|not more than|at most|max(?:imum)?(?: of)?|up to|cheaper than) (.+)$/i

const SUITS_YOU =
  /^(an?|another|some other|a different) (day|date|time|hour|week)(?: and time)? (?:that|which) (?:would )?(?:suits?|works? for|fits?) you$/i
const PRICE_LIMIT = /\b(?:price|rate|fee)\b.* (?:below|under|less than|lower than|of at most|no more than) /i

function thing(text: string, speaker: Speaker): Asking {
  const x = onBehalf(towardsCallee(text), speaker.owner)
  if (WHEN.test(x)) {
    const when = lowerFirst(x).replace(/^(?:at|on|by|for) /i, '')
    return { kind: 'request', question: frame('suits', when, speaker), subject: when }
  }
  const included = /^(.+) (included|available|covered|provided|guaranteed)$/i.exec(x)
  if (included !== null) {
    const thing = `${lowerFirst(included[1] ?? '')} ${included[2]}`
    return { kind: 'request', question: frame('doable', `have ${thing}`, speaker), subject: thing }
  }
  const other = SUITS_YOU.exec(x)
  if (other !== null) {
    const [, article = '', when = ''] = other
    const which = /other|different/i.test(article) ? `Which other ${when}` : `Which ${when}`
    return { kind: 'information', question: `${which} would suit you?`, subject: lowerFirst(text) }
  }
  if (PRICE_LIMIT.test(x)) return possible(withArticle(x), speaker)
  const limit = LIMIT.exec(x)
  if (limit !== null)
    return {
      kind: 'request',
      question: `Would it be possible to keep it under ${limit[1]}?`,
      subject: `a price under ${limit[1]}`,
    }
  if (/^(?:an? )?(?:quote|estimate)\b/i.test(x)) return wanted(x, speaker)
  if (isTold(x))
    return {
      kind: 'information',
      question: frame('tell', withArticle(x, true), speaker),
      subject: withArticle(x, true),
    }
  if (isAmenity(x) && extract(x, 'en').every(({ type }) => type !== 'time'))
    return { kind: 'polar', question: frame('have', lowerFirst(x), speaker), subject: lowerFirst(x) }
  const described = /^(?:an?|the|some|somebody|someone|one|two) .*\b(?:that|which|who) /i.test(x)
  const sentence =
    !described && wordCount(x) > 4 && /\b(?:is|are|was|were|will|want|wants|would|should|needs?|must)\b/i.test(x)
  if (sentence) return { kind: 'request', question: frame('quoted', x, speaker), subject: lowerFirst(x) }
  return possible(withArticle(x), speaker)
}

export function expectingOf(text: string): Expecting {
  if (/\b(?:price|cost|costs|rate|fee|charge|how much|budget|pay|per night|[$€£]|euros?|dollars?)\b|[$€£]/i.test(text))
    return 'money'
  if (/\b(?:discount|percent)\b|%/i.test(text)) return 'percent'
  if (
    /\b(?:hours|time|when|what day|date|opening|table|appointment|reservation|booking|slot|pm|am|o'clock|how soon|deadline)\b/i.test(
      text,
    )
  )
    return 'time'
  if (/\b(?:how many|how long|scale|from (?:1|one|0|zero) to|rate|rating|score|number of)\b/i.test(text)) return 'count'
  return null
}
