import { PHASES } from '@parley/contract'
import type { Asked, MindEvent } from '@parley/voice-ports'
import { greet, hear } from './heard.ts'
import { follow } from './instruction.ts'
import { answerTo } from './knowledge.ts'
import { chooseFromMenu } from './menu.ts'
import { askAgain } from '../bargaining/progress.ts'
import { ONLY_SPOKEN } from '../wording/only-spoken.ts'
import { grouped } from './asides.ts'
import { beginTalk, end, enterPhase, finish, say, type Talk } from './talk.ts'

/** Silences in a row before the call ends; more after the callee asked for a moment. */
const SILENCES_MAX = 3
const SILENCES_ON_HOLD_MAX = 6

/** The whole reply to a cue. Pure: depends on its input alone, and returns what is to be remembered. */
export function reply(asked: Asked): MindEvent[] {
  const talk = beginTalk(asked)
  const { cue } = asked
  switch (cue.type) {
    case 'opening':
      opening(talk, asked.language)
      break
    case 'heard':
      hear(talk, cue.text)
      break
    case 'silence':
      silence(talk, cue.count)
      break
    case 'instruction':
      follow(talk, cue.text)
      break
    case 'time_nearly_up':
      say(talk, talk.phrases.timeUp)
      end(talk, 'time_limit')
      break
    case 'voicemail':
      leaveMessage(talk)
      break
    case 'menu':
      chooseFromMenu(talk, cue.text)
      break
    case 'screening':
      enterPhase(talk, PHASES.screening)
      say(talk, talk.phrases.screening, { purpose: talk.purpose.sentence })
      break
  }
  return finish(talk)
}

function opening(talk: Talk, language: string): void {
  enterPhase(talk, PHASES.greeting)
  if (talk.memory.opened) {
    // The purpose was said to somebody else before: a new person is on the call.
    say(talk, talk.purpose.sentence)
    askAgain(talk)
    return
  }
  if (!language.toLowerCase().startsWith(talk.memory.language) && language !== 'auto')
    apologizeForLanguage(talk, language)
  greet(talk)
}

function apologizeForLanguage(talk: Talk, language: string): void {
  const own = ONLY_SPOKEN[language.toLowerCase().split('-')[0] ?? '']
  if (own !== undefined) say(talk, own)
  say(talk, talk.phrases.onlyTheseLanguages)
  talk.events.push({ type: 'language', language: talk.memory.language })
}

function silence(talk: Talk, count: number): void {
  const { memory, phrases } = talk
  if (memory.waiting && count < SILENCES_ON_HOLD_MAX) {
    if (count === SILENCES_MAX) say(talk, phrases.stillHere)
    else enterPhase(talk, PHASES.onHold)
    return
  }
  if (count >= SILENCES_MAX) {
    say(talk, phrases.nobodyThere)
    end(talk, 'silence')
    return
  }
  // The callee who talked on is silent: asks the question they talked over.
  if (memory.talkedOver > 0 && count === 1) {
    askAgain(talk, true)
    return
  }
  say(talk, phrases.stillThere)
  if (count > 1 && memory.pending !== 'nothing') askAgain(talk, true)
}

function leaveMessage(talk: Talk): void {
  enterPhase(talk, PHASES.voicemail)
  say(talk, talk.purpose.sentence)
  const phone = answerTo(talk, 'phone')
  if (phone !== null) say(talk, talk.phrases.voicemailCallback, { x: grouped(phone) })
  else say(talk, talk.phrases.goodbye)
  end(talk, 'voicemail')
}
