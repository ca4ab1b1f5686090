import { fill, sentencesIn, shorten, withoutFinalStop } from '../hearing/text.ts'
import type { Purpose, Speaker, Topic } from '../topic.ts'
import { afterCalling, calleeUnnamed, untilAnother } from './callee.en.ts'
import { english } from './en.ts'
import {
  isImperative,
  isInformation,
  isQuestion,
  lowerFirst,
  onBehalf,
  personToCallee,
  startsWithVerb,
  towardsCallee,
  withArticle,
  withObject,
} from './english-grammar.ts'
import { purposeTopic } from './objective.en.ts'
import { inTone } from './phrasebook.ts'

const PURPOSE_WORDS = 21
const FIRST_PERSON =
  /^(?:(?:i|we)(?: am|'m| are|'re)? (?:want(?:ing)?|would like|'d like|need|wish|hope|hoping|have|looking|look|plan|trying|calling|call|am calling)(?: you)? (?:to|for|about)|(?:i|we)(?:'d| would) (?:like|love) to|i'm calling to|the (?:purpose|goal|aim|reason)(?: of (?:this|the) call)? is to|to|in order to|please|kindly|you should|help me|help me to|can you(?: please)?|could you(?: please)?|your (?:task|job|goal) is to|call(?:ing)?(?= about\b)|(?:i|we)(?: want| need| would like|'d like| require)(?= (?:an?|the|some|\d)\b)) /i
const CALL_SOMEBODY = /^(?:(?:please )?(?:call|phone|ring|contact)) (?:up )?(?:(?!\b(?:and|to)\b).)+? (?:and|to) /i
const GREETING = /^(?:hi|hello|hey|good (?:morning|afternoon)|my name is|i am [A-Z]\w+$|i'm [A-Z]\w+$)/i

/** Words the purpose of the call, in whichever form the user wrote it. */
export function englishPurpose(text: string, speaker: Speaker): Purpose {
  const core = coreOf(text)
  const topic = impliedTopic(core, text, speaker)
  const question = inTone(english.purpose.question, speaker.tone)
  if (isQuestion(core)) {
    const x = lowerFirst(topic.question.replace(/\?$/, ''))
    return { sentence: fill(inTone(english.purpose.quoted, speaker.tone), { x }), lead: question, topic }
  }
  if (topic.kind === 'message') return { sentence: firstSentence(topic.question), lead: '', topic }
  const sentence = sentenceOf(core, speaker)
  if (/^(?:invite|offer)\b/i.test(core)) return { sentence, lead: '', topic }
  return { sentence, lead: topic.kind === 'information' || topic.kind === 'polar' ? question : sentence, topic }
}

/** The first sentence with content, without "I would like to" and "Call them and". */
export function coreOf(text: string): string {
  const sentences = text.split('\n').flatMap((line) => sentencesIn(line.replace(/\s+/g, ' ')))
  const first = sentences.find((sentence) => !GREETING.test(sentence)) ?? sentences[0] ?? text
  let core = afterCalling(withoutFinalStop(first))
  for (let round = 0; round < 3; round += 1) core = core.replace(CALL_SOMEBODY, '').replace(FIRST_PERSON, '')
  return shorten(calleeUnnamed(core.replace(GERUND, imperative)), PURPOSE_WORDS)
}

const GERUND =
  /^(?:book|reserv|cancel+|order|schedul|ask|confirm|mak|reschedul|arrang|chang|remind|negotiat|survey|invit|tell)ing (?=\w)/i

/** "Booking a table" → "Book a table". */
function imperative(gerund: string): string {
  const stem = gerund
    .trim()
    .slice(0, -3)
    .replace(/ll$/i, (end) => (/^cance/i.test(gerund) ? 'l' : end))
  return `${stem}${/(?:reserv|schedul|mak|arrang|chang|negotiat|invit)$/i.test(stem) ? 'e' : ''} `
}

const CLAUSE =
  /^(?!to\b)(?:\S+ ){1,5}?(?:is|are|was|were|has|have|had|isn't|aren't|doesn't|don't|needs?|wants?|won't|can't|cannot|broke|stopped|would like) /i

function sentenceOf(core: string, speaker: Speaker): string {
  const spoken = onBehalf(towardsCallee(core), speaker.owner)
  const say = (name: 'action' | 'about' | 'quoted', x: string): string =>
    fill(inTone(english.purpose[name], speaker.tone), { x: withoutFinalStop(x) })
  if (startsWithVerb(core) || isImperative(core)) return say('action', withObject(lowerFirst(asksThem(spoken))))
  if (/^\w+ing\b/i.test(core)) return say('about', lowerFirst(spoken))
  if (/^about /i.test(core)) return say('about', spoken.replace(/^about /i, ''))
  if (CLAUSE.test(core)) return `I'm calling because ${withoutFinalStop(lowerFirst(spoken))}.`
  return say('about', withArticle(spoken, isInformation(spoken) && !/^(?:an? )?(?:quote|estimate)/i.test(spoken)))
}

/** "remind the patient about her visit" is said to the patient. */
function asksThem(spoken: string): string {
  return spoken
    .replace(
      /^(ask|survey|interview) (?:the |our |a )?(?:customers?|guests?|patients?|clients?|people|businesses|business|you|him|her|owner|manager|\w+s) (?=about|if|whether|what|how|when|on|for)/i,
      '$1 you ',
    )
    .replace(/^(congratulate|invite|thank|remind|inform|notify|tell) (?:the |our )?\w+(?= )/i, '$1 you')
    .replace(/^(talk|speak) (?:to|with) (?:the \w+|them|him|her|\w+) (?=about|regarding)/i, '$1 to you ')
    .replace(/^check (in|up) on .+/i, 'check $1 on you')
    .replace(/^(.+)$/, (whole) =>
      /^(?:ask|survey|congratulate|invite|thank|remind|inform|notify|tell) you\b/i.test(whole)
        ? untilAnother(whole, personToCallee)
        : whole,
    )
}

function firstSentence(question: string): string {
  return sentencesIn(question)[0] ?? question
}

const GRANTED =
  /^(?:book|reserve|schedule|arrange|order|cancel|change|reschedule|rearrange|rebook|move|rent|get|amend|buy|purchase|make|request|return|extend|upgrade|set up|add|renew|update|pick up|secure|obtain|sign up|register|apply|hire)\b/i

/** "A table at 7 pm" is asked for as it is. */
const NAMES_WHAT =
  /^(?:Would .+ (?:be possible|work for you|be convenient for you)|Any chance of .+|Does .+ work for you|May I ask whether .+ would be possible)\?$/

/** The topic of an order without objectives: its purpose. */
function impliedTopic(core: string, text: string, speaker: Speaker): Topic {
  const topic = { ...purposeTopic(core.replace(/^about /i, ''), speaker), text }
  if (topic.kind === 'confirmation')
    return { ...topic, question: fill(inTone(english.ask.confirm, speaker.tone), { x: 'that' }) }
  if (topic.kind !== 'request' || isQuestion(core) || /^(?:negotiate|bargain|haggle|invite|offer)\b/i.test(core))
    return topic
  if (startsWithVerb(core) && GRANTED.test(core)) return { ...topic, question: 'Would that be possible?' }
  if (NAMES_WHAT.test(topic.question) && topic.wants.some(({ type }) => type === 'time' || type === 'date'))
    return topic
  return { ...topic, kind: 'help', question: inTone(english.ask.help, speaker.tone) }
}
