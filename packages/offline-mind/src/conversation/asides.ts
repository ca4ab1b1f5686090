import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { Understanding } from '../hearing/understand.ts'
import type { Intent, Need } from '../hearing/lexicon.ts'
import { answerTo, factAbout } from './knowledge.ts'
import { say, sayIfShort, type Talk } from './talk.ts'
import type { Toned } from '../wording/phrasebook.ts'

const ANSWERS_MAX = 2

/** Answers questions about the call itself. Returns true when something was said. */
export function answerAboutCall(talk: Talk, heard: Understanding): boolean {
  const { phrases } = talk
  const answers: readonly (readonly [Intent, Toned])[] = [
    ['wants_human', phrases.human],
    ['are_you_robot', phrases.robot],
    ['is_it_recorded', talk.order.record ? phrases.recorded : phrases.notRecorded],
    ['where_number', phrases.number],
    ['who_is_this', phrases.who],
    ['louder', phrases.louder],
    ['slower', phrases.slower],
    ['can_you_hear', phrases.hearYou],
    ['how_are_you', phrases.howAreYou],
    ['must_i', phrases.upToYou],
    ['how_long', phrases.notLong],
    ['repeat', phrases.repeat],
  ]
  const asked = answers.filter(([intent]) => heard.intents.has(intent))
  const telling = asked.some(([intent]) => intent === 'are_you_robot')
    ? asked.filter(([intent]) => intent !== 'who_is_this')
    : asked
  for (const [, toned] of telling.slice(0, ANSWERS_MAX)) say(talk, toned)
  if (heard.intents.has('why_calling') || (heard.intents.has('repeat') && talk.memory.pending === 'nothing'))
    say(talk, talk.purpose.sentence)
  return telling.length > 0 || heard.intents.has('why_calling')
}

/** Answers questions from the order, or says that the order does not tell. Returns true when something was asked. */
export function answerNeeds(talk: Talk, heard: Understanding): boolean {
  if (heard.intents.has('spell')) {
    say(talk, talk.phrases.spelled, { x: spelled(answerTo(talk, 'name') ?? talk.owner) })
    return true
  }
  if (heard.needs.length > 0 && isAsking(heard)) {
    for (const need of distinct(heard.needs).slice(0, ANSWERS_MAX)) tell(talk, need)
    return true
  }
  if (!heard.question) return false
  const known = factAbout(talk, heard.content)
  if (known === null) return false
  say(talk, talk.phrases.generalFact, { key: known.key, x: known.value })
  return true
}

/** "And the name?" asks; "the reference stays AB123" tells. */
function isAsking(heard: Understanding): boolean {
  if (
    heard.question ||
    /\b(?:need|may i|can i|could i|give me|tell me|necesito|necesitamos|il me faut|brauche|brauchen)\b/.test(
      heard.plain,
    )
  )
    return true
  return heard.plain.split(' ').length <= 6 && !/\b(?:is|are|stays|was|will|es|est|ist)\b/.test(heard.plain)
}

/** A booking number is no telephone number. */
function distinct(needs: readonly Need[]): readonly Need[] {
  return needs.includes('reference') || needs.includes('birthdate')
    ? needs.filter((need) => need !== 'phone' && need !== 'date' && need !== 'time')
    : needs
}

export function tell(talk: Talk, need: Need): void {
  if (need === 'payment' || need === 'budget') {
    say(talk, talk.phrases.private)
    return
  }
  const value = answerTo(talk, need)
  if (value !== null) {
    say(talk, talk.phrases.needs[need], { x: need === 'phone' ? grouped(value) : value })
    return
  }
  if (!talk.memory.missing.includes(need)) talk.memory.missing.push(need)
  say(talk, talk.phrases.unknown)
  sayIfShort(talk, talk.phrases.passOn)
}

function spelled(name: string): string {
  return name
    .split(/\s+/)
    .map((word) => Array.from(word.toUpperCase()).join('-'))
    .join(', ')
}

/** Telephone numbers are read out in groups. */
export function grouped(phone: string): string {
  return parsePhoneNumberFromString(phone)?.formatInternational() ?? phone
}
