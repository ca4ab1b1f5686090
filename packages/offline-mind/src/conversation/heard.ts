import type { HeardTurn } from '@parley/voice-ports'
import { afterAgreement, answer, leaveOpen, otherTime } from './answers.ts'
import { answerAboutCall, answerNeeds } from './asides.ts'
import { isAboutCall } from '../bargaining/judge.ts'
import { resetTalkedOver, mayAskAgain, unheardShare } from './talked-over.ts'
import { pushing } from '../bargaining/negotiate.ts'
import { extract } from '../hearing/extract.ts'
import { detectLanguage } from '../hearing/language.ts'
import { plain, shorten } from '../hearing/text.ts'
import { understand } from '../hearing/understand.ts'
import { listed } from '../bargaining/offer.ts'
import { askAgain, close, proceed, settle, type Evidence, type Utterance } from '../bargaining/progress.ts'
import { ask, changeLanguage, currentTopic, end, say, sayIfShort, stateOf, type Talk } from './talk.ts'
import { inTone } from '../wording/phrasebook.ts'

type Handler = (talk: Talk, utterance: Utterance) => boolean

/** How often a question is asked before it is left open. */
const ASKED_MAX = 3
/** Questions about the call that are answered before the question counts as unanswered. */
const ASIDES_MAX = 4
const DECLINED_MAX = 5

/** The first handler that applies answers; ordered by importance. */
const URGENT: readonly Handler[] = [optOut, wrongNumber, hostile, injection]
const HANDLERS: readonly Handler[] = [
  ...URGENT,
  hold,
  late,
  unheardQuestion,
  pushing,
  callbackTime,
  otherTime,
  afterAgreement,
  answer,
  callLater,
  goodbye,
  aboutCall,
  notUnderstood,
]

/** Answers what the callee just said. */
export function hear(talk: Talk, text: string): void {
  const turn = lastUserTurn(talk)
  talk.memory.weighedTurn = turn?.index ?? talk.memory.weighedTurn
  talk.memory.waiting = false
  const language = detectLanguage(text, talk.memory.language)
  const changed = language !== talk.memory.language
  if (changed) changeLanguage(talk, language)
  const utterance: Utterance = {
    heard: understand(text, talk.memory.language),
    evidence: { quote: text.trim(), turn: turn?.index ?? null },
  }
  if (talk.memory.closed) {
    // A second thought before the hang-up.
    talk.memory.closed = false
    talk.memory.pending = 'anything_else'
    talk.memory.question = inTone(talk.phrases.isThatAll, talk.tone)
  }
  const handlers = changed && talk.memory.opened ? [...URGENT, restate] : HANDLERS
  handlers.some((handle) => handle(talk, utterance))
}

/** Opens the call after the disclosure, in the language in which it was answered. */
export function greet(talk: Talk): void {
  const turn = lastUserTurn(talk)
  const text = turn?.text ?? ''
  talk.memory.weighedTurn = turn?.index ?? talk.memory.weighedTurn
  const language = detectLanguage(text, talk.memory.language)
  if (language !== talk.memory.language) changeLanguage(talk, language)
  const utterance: Utterance = {
    heard: understand(text, talk.memory.language),
    evidence: { quote: text, turn: turn?.index ?? null },
  }
  if (!URGENT.some((handle) => handle(talk, utterance))) open(talk)
}

/** Repeats the question in the callee's language. */
function restate(talk: Talk): boolean {
  const topic = currentTopic(talk)
  if (topic === undefined || talk.memory.pending === 'nothing' || talk.memory.pending === 'anything_else') {
    ask(talk, inTone(talk.phrases.isThatAll, talk.tone), 'anything_else')
    return true
  }
  talk.memory.offer = null
  say(talk, talk.purpose.sentence)
  ask(talk, topic.question, 'topic')
  return true
}

function lastUserTurn(talk: Talk): HeardTurn | undefined {
  return talk.turns.findLast(({ speaker }) => speaker === 'user')
}

function optOut(talk: Talk, { heard, evidence }: Utterance): boolean {
  if (!heard.intents.has('opt_out')) return false
  talk.events.push({ type: 'opted_out', quote: evidence.quote ?? '' })
  refuseCurrent(talk, evidence)
  say(talk, talk.phrases.optedOut)
  end(talk, 'opted_out')
  return true
}

function wrongNumber(talk: Talk, { heard }: Utterance): boolean {
  if (!heard.intents.has('wrong_number')) return false
  talk.memory.wrongNumber = true
  say(talk, talk.phrases.wrongNumber)
  end(talk, 'agent_closed')
  return true
}

function hostile(talk: Talk, { heard, evidence }: Utterance): boolean {
  if (!heard.intents.has('hostile')) return false
  refuseCurrent(talk, evidence)
  say(talk, talk.phrases.refused)
  end(talk, 'refused_to_talk')
  return true
}

function refuseCurrent(talk: Talk, evidence: Evidence): void {
  const { current, topics } = talk.memory
  if (topics[current]?.status === 'waiting' && talk.memory.pending !== 'nothing')
    settle(talk, current, 'refused', evidence, null)
}

/** The callee tries to give the agent another task, or to learn its instructions. */
function injection(talk: Talk, { heard }: Utterance): boolean {
  if (!heard.intents.has('injection')) return false
  talk.memory.declined += 1
  say(talk, talk.phrases.decline)
  if (talk.memory.declined >= DECLINED_MAX) {
    close(talk)
    return true
  }
  if (talk.memory.declined === 1) sayIfShort(talk, talk.phrases.declineAgain)
  if (talk.memory.opened) askAgain(talk)
  else open(talk)
  return true
}

function hold(talk: Talk, { heard }: Utterance): boolean {
  if (!heard.intents.has('hold')) return false
  talk.memory.waiting = true
  say(talk, talk.phrases.takeYourTime)
  return true
}

/** The callee spoke before the agent could say the purpose. */
function late(talk: Talk, { heard }: Utterance): boolean {
  if (talk.memory.opened) return false
  answerAboutCall(talk, {
    ...heard,
    intents: new Set([...heard.intents].filter((intent) => intent !== 'why_calling' && intent !== 'repeat')),
  })
  open(talk)
  return true
}

/** Says the purpose and asks about the first topic. */
function open(talk: Talk): void {
  talk.memory.opened = true
  const { purpose } = talk
  const first = talk.topics[0]
  const own = talk.topics.includes(purpose.topic)
  const opening = own ? purpose.lead : purpose.sentence
  if (opening !== '') say(talk, opening)
  if (first !== undefined && !own && plain(first.subject) === plain(purpose.topic.subject)) {
    talk.topics = [{ ...first, question: purpose.topic.question }, ...talk.topics.slice(1)]
  }
  proceed(talk)
}

/** A question that was not heard is not answered by any words; a callee who talks on is not interrupted. */
function unheardQuestion(talk: Talk, utterance: Utterance): boolean {
  const unheard = unheardShare(talk, utterance)
  if (unheard === 'nothing') {
    resetTalkedOver(talk)
    return false
  }
  if (aboutCall(talk, utterance)) resetTalkedOver(talk)
  else if (mayAskAgain(talk, utterance)) askAgain(talk, unheard === 'all')
  return true
}

function callbackTime(talk: Talk, { heard }: Utterance): boolean {
  if (
    talk.memory.pending !== 'callback_time' ||
    heard.intents.has('take_message') ||
    heard.intents.has('will_call_back')
  )
    return false
  if (
    heard.intents.has('who_is_this') ||
    heard.intents.has('why_calling') ||
    heard.intents.has('are_you_robot') ||
    heard.intents.has('repeat')
  ) {
    answerAboutCall(talk, heard)
    askAgain(talk)
    return true
  }
  const times = extract(heard.text, talk.memory.language, 'time').filter(
    ({ type }) => type === 'time' || type === 'date',
  )
  if (times.length > 0) {
    talk.memory.callback = shorten(heard.text, 16)
    sayIfShort(talk, talk.phrases.callbackNoted, { x: listed(times, talk.memory.language) })
  } else if (heard.content.length > 1 && heard.answer !== 'no') talk.memory.callback = shorten(heard.text, 16)
  close(talk)
  return true
}

function callLater(talk: Talk, { heard, evidence }: Utterance): boolean {
  const { memory, phrases } = talk
  if (heard.intents.has('will_call_back')) {
    memory.callback = shorten(heard.text, 16)
    say(talk, phrases.willWait)
    close(talk)
    return true
  }
  if (heard.intents.has('take_message')) {
    memory.messageLeft = true
    say(talk, phrases.messageTaken)
    say(talk, talk.purpose.sentence)
    ask(talk, inTone(phrases.isThatAll, talk.tone), 'anything_else')
    return true
  }
  if (!heard.intents.has('call_back') && !heard.intents.has('not_available')) return false
  const state = stateOf(talk, memory.current)
  state.quote = evidence.quote
  state.turn = evidence.turn
  if (heard.intents.has('who_is_this') || heard.intents.has('why_calling')) answerAboutCall(talk, heard)
  const times = extract(heard.text, memory.language).filter(({ type }) => type === 'time' || type === 'date')
  if (times.length > 0) {
    memory.callback = shorten(heard.text, 16)
    sayIfShort(talk, phrases.callbackNoted, { x: listed(times, memory.language) })
    close(talk)
    return true
  }
  if (heard.intents.has('call_back')) sayIfShort(talk, phrases.repeat)
  ask(talk, inTone(phrases.whenToCall, talk.tone), 'callback_time')
  return true
}

function goodbye(talk: Talk, { heard }: Utterance): boolean {
  if (!heard.intents.has('goodbye')) return false
  close(talk)
  return true
}

function aboutCall(talk: Talk, utterance: Utterance): boolean {
  const { heard } = utterance
  const { memory } = talk
  const isLost = heard.intents.has('repeat') && memory.pending !== 'nothing'
  if ((isLost && memory.misheard >= ASKED_MAX) || (isAboutCall(heard) && memory.asides >= ASIDES_MAX)) {
    // A callee who keeps not understanding, or keeps asking about the call, leaves the question open.
    if (stateOf(talk, memory.current).status === 'waiting')
      leaveOpen(talk, { ...utterance, evidence: { quote: null, turn: null } })
    else close(talk)
    return true
  }
  const told = answerAboutCall(talk, heard)
  const needs = answerNeeds(talk, heard)
  if (!told && !needs) return false
  memory.misheard = isLost ? memory.misheard + 1 : 0
  memory.asides = told && !needs ? memory.asides + 1 : 0
  const lost = heard.intents.has('who_is_this') || heard.intents.has('are_you_robot') || heard.intents.has('repeat')
  if (lost && !heard.intents.has('why_calling') && /\bthat\b/.test(memory.question))
    sayIfShort(talk, talk.purpose.sentence)
  askAgain(talk, heard.intents.has('repeat') || heard.intents.has('slower') || heard.intents.has('louder'))
  return true
}

function notUnderstood(talk: Talk, utterance: Utterance): boolean {
  const { memory, phrases } = talk
  const { heard } = utterance
  memory.misheard += 1
  const state = stateOf(talk, memory.current)
  if (memory.offer !== null && memory.misheard > 1) {
    const { quote, turn } = memory.offer
    leaveOpen(talk, { ...utterance, evidence: { quote, turn } })
    return true
  }
  if (memory.pending !== 'nothing' && memory.misheard >= ASKED_MAX) {
    leaveOpen(talk, { ...utterance, evidence: { quote: state.quote, turn: state.turn } })
    return true
  }
  const greeted = heard.intents.has('greeting') && heard.content.length < 2
  if (heard.question && !greeted) say(talk, phrases.unknown)
  else if (!greeted) sayIfShort(talk, phrases.notUnderstood)
  askAgain(talk, greeted)
  return true
}
