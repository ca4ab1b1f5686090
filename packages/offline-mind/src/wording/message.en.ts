import { fill } from '../hearing/text.ts'
import type { Asking, Speaker } from '../topic.ts'
import { english } from './en.ts'
import { onBehalf, personToCallee } from './english-grammar.ts'
import { inTone } from './phrasebook.ts'

const WHO =
  '(?:(?:mr|mrs|ms|dr)\\.? \\w+|them|him|her(?! (?:brother|sister|mother|father|husband|wife|team|boss)\\b)|you|(?:the|my|our|their|his|her) \\w+|\\w+(?: [A-Z]\\w+)?)'
const TELL = new RegExp(
  `^(?:(?:tell|inform|notify|advise|warn|alert) ${WHO}|let ${WHO} know)(?: (that|about|of))? (.+)$`,
  'i',
)
const REMIND = new RegExp(`^remind ${WHO}(?: again)? (?:(about|of|that|to) )?(.+)$`, 'i')
const WISH = new RegExp(`^wish ${WHO} (.+)$`, 'i')
const THANK = new RegExp(`^thank ${WHO}(?: (?:for|that) (.+))?$`, 'i')
const INVITE = new RegExp(`^invite ${WHO} (?:to|for) (.+)$`, 'i')
const OFFER = new RegExp(`^offer (?:them|him|her|you|the \\w+) (.+)$`, 'i')
const SAY =
  /^(?:say|tell (?:them|him|her)) (hello|hi|thank you|thanks|congratulations|happy birthday|good luck|merry christmas)\b(.*)$/i

type Form = (match: RegExpExecArray, speaker: Speaker) => Asking

/** Messages to deliver. The first matching pattern counts. */
const FORMS: readonly (readonly [RegExp, Form])[] = [
  [REMIND, reminder],
  [
    SAY,
    (match, { owner }) => ({
      kind: 'message',
      question: `${owner} asked me to say ${match[1]?.toLowerCase()} to you.`,
      subject: `the greeting`,
    }),
  ],
  [
    WISH,
    (match, { owner }) => ({
      kind: 'message',
      question: `${owner} wishes you ${match[1]}!`,
      subject: `the wish of ${match[1]}`,
    }),
  ],
  [THANK, thanks],
  [INVITE, invitation],
  [OFFER, offer],
  [TELL, telling],
]

export function message(text: string, speaker: Speaker): Asking | null {
  if (/^(?:let|tell) (?:me|us)\b/i.test(text)) return null
  for (const [pattern, form] of FORMS) {
    const match = pattern.exec(text)
    if (match !== null) return form(match, speaker)
  }
  return null
}

function reminder(match: RegExpExecArray, { tone, owner }: Speaker): Asking {
  const link = match[1] ?? 'about'
  const what = match[2] ?? ''
  const spoken = onBehalf(personToCallee(what), owner)
  const fits =
    /appointment|meeting|booking|reservation|visit|session|interview|delivery/i.test(what) &&
    link !== 'to' &&
    link !== 'that'
  const asked = fits ? inTone(english.ask.stillFits, tone) : 'Is that all right?'
  const subject = link === 'to' || link === 'that' ? `the reminder ${link} ${what}` : `the reminder about ${what}`
  return { kind: 'message', question: `I'd like to remind you ${link} ${yours(spoken, link)}. ${asked}`, subject }
}

function yours(thing: string, link: string): string {
  if (link === 'to' || link === 'that') return thing
  if (!/^(?:your|the|a|an|our|this|that|\S+'s)\b/i.test(thing)) return `your ${thing}`
  return thing.replace(/^(?:the|a|an) (?=.*appointment)/i, 'your ')
}

function thanks(match: RegExpExecArray, { owner }: Speaker): Asking {
  const what = match[1] === undefined ? 'everything' : personToCallee(match[1])
  return {
    kind: 'message',
    question: `${owner} would like to thank you for ${what}.`,
    subject: `the thanks for ${match[1] ?? 'everything'}`,
  }
}

function invitation(match: RegExpExecArray, { owner }: Speaker): Asking {
  const what = onBehalf(personToCallee(match[1] ?? ''), owner, true)
  return {
    kind: 'request',
    question: `${owner} would like to invite you to ${what}. Would you like to come?`,
    subject: `the invitation to ${what}`,
  }
}

function offer(match: RegExpExecArray, { owner }: Speaker): Asking {
  const what = onBehalf(personToCallee(match[1] ?? ''), owner)
  return {
    kind: 'request',
    question: `We would like to offer you ${what}. Would you be interested?`,
    subject: `the offer of ${what}`,
  }
}

function telling(match: RegExpExecArray, { tone, owner }: Speaker): Asking {
  const what = match[2] ?? ''
  const about = match[1] === 'about' || match[1] === 'of'
  const x = `I'd like to let you know ${about ? 'about' : 'that'} ${onBehalf(personToCallee(what), owner)}`
  return {
    kind: 'message',
    question: fill(inTone(english.ask.let, tone), { x }),
    subject: `the message ${about ? 'about' : 'that'} ${what}`,
  }
}
