import type { HeardTurn } from '../port.ts'
import { answerAboutCall, answerNeeds } from './asides.ts'
import { detectLanguage } from './hearing/language.ts'
import { plain, shorten, withoutFinalStop } from './hearing/text.ts'
import { understand, type Understanding } from './hearing/understand.ts'
import { judge, type Verdict } from './judge.ts'
import { weighOffer, weighOtherAnswer } from './negotiate.ts'
import { ask, changeLanguage, currentTopic, end, say, sayIfShort, stateOf, type Talk } from './talk.ts'
import { askAgain, close, confirmOffer, goOn, proceed, settle, thank, type Evidence, type Line } from './progress.ts'
import { extract, sayValue } from './hearing/extract.ts'
import { inTone } from './wording/phrasebook.ts'

type Handler = (talk: Talk, line: Line) => boolean

/** How often a question is put again before it is left alone. */
const ASKED_MAX = 3
const DECLINED_MAX = 5

/** The first that applies answers the line; the order is the order of importance. */
const URGENT: readonly Handler[] = [optOut, wrongNumber, hostile, injection]
const HANDLERS: readonly Handler[] = [
  ...URGENT,
  callbackTime,
  otherTime,
  hold,
  late,
  unheardQuestion,
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
  const line: Line = { heard: understand(text, talk.memory.language), evidence: { quote: text.trim(), turn: turn?.index ?? null } }
  if (talk.memory.closed) {
    // A second thought before the line was down.
    talk.memory.closed = false
    talk.memory.pending = 'anything_else'
    talk.memory.question = inTone(talk.phrases.isThatAll, talk.tone)
  }
  const handlers = changed && talk.memory.opened ? [...URGENT, restate] : HANDLERS
  handlers.some((handle) => handle(talk, line))
}

/** What was asked in another language is asked again in the callee's. */
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

function optOut(talk: Talk, { heard, evidence }: Line): boolean {
  if (!heard.intents.has('opt_out')) return false
  talk.events.push({ type: 'opted_out', quote: evidence.quote ?? '' })
  refuseCurrent(talk, evidence)
  say(talk, talk.phrases.optedOut)
  end(talk, 'opted_out')
  return true
}

function wrongNumber(talk: Talk, { heard }: Line): boolean {
  if (!heard.intents.has('wrong_number')) return false
  talk.memory.wrongNumber = true
  say(talk, talk.phrases.wrongNumber)
  end(talk, 'agent_closed')
  return true
}

function hostile(talk: Talk, { heard, evidence }: Line): boolean {
  if (!heard.intents.has('hostile')) return false
  refuseCurrent(talk, evidence)
  say(talk, talk.phrases.refused)
  end(talk, 'refused_to_talk')
  return true
}

function refuseCurrent(talk: Talk, evidence: Evidence): void {
  const { current, topics } = talk.memory
  if (topics[current]?.status === 'waiting' && talk.memory.pending !== 'nothing') settle(talk, current, 'refused', evidence, null)
}

/** Somebody tries to give the agent another task, or to learn what it was told. */
function injection(talk: Talk, { heard }: Line): boolean {
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

function hold(talk: Talk, { heard }: Line): boolean {
  if (!heard.intents.has('hold')) return false
  talk.memory.waiting = true
  say(talk, talk.phrases.takeYourTime)
  return true
}

/** The callee spoke before the agent could say what the call is for. */
function late(talk: Talk, { heard }: Line): boolean {
  if (talk.memory.opened) return false
  answerAboutCall(talk, {
    ...heard,
    intents: new Set([...heard.intents].filter((intent) => intent !== 'why_calling' && intent !== 'repeat')),
  })
  open(talk)
  return true
}

/** Says what the call is for and asks the first thing. */
export function open(talk: Talk): void {
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

/** A yes to a question that was cut off before it was heard answers nothing. */
function unheardQuestion(talk: Talk, { heard }: Line): boolean {
  const { memory } = talk
  const last = talk.turns.findLast(({ speaker }) => speaker === 'agent')
  if (last === undefined || last.heard || memory.pending === 'nothing' || heard.content.length > 2 || heard.question) return false
  const words = plain(memory.question).split(' ')
  const start = words.slice(0, Math.ceil(words.length * 0.6)).join(' ')
  if (plain(last.text).includes(start)) return false
  askAgain(talk)
  return true
}

function callbackTime(talk: Talk, { heard }: Line): boolean {
  if (talk.memory.pending !== 'callback_time') return false
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
  const times = extract(heard.text, talk.memory.language, 'time').filter(({ type }) => type === 'time' || type === 'date')
  if (times.length > 0) {
    talk.memory.callback = shorten(heard.text, 16)
    sayIfShort(talk, talk.phrases.callbackNoted, { x: times.map((value) => sayValue(value, talk.memory.language)).join(', ') })
  } else if (heard.content.length > 1 && heard.answer !== 'no') talk.memory.callback = shorten(heard.text, 16)
  close(talk)
  return true
}

/** "Is that everything?" */
function afterAgreement(talk: Talk, { heard, evidence }: Line): boolean {
  if (talk.memory.pending !== 'anything_else') return false
  if (noteCondition(talk, heard)) sayIfShort(talk, talk.phrases.condition)
  const done = heard.intents.has('nothing_else') || heard.intents.has('goodbye')
  if (!done && (answerAboutCall(talk, heard) || answerNeeds(talk, heard))) {
    askAgain(talk)
    return true
  }
  const takenBack = heard.answer === 'no' && /\b(?:actually|wait|sorry|after all|mistake)\b/.test(heard.plain) && heard.content.length > 2
  if (takenBack) {
    const index = talk.memory.topics.findLastIndex(({ status }, at) => status === 'met' && talk.topics[at]?.kind === 'request')
    if (index >= 0) settle(talk, index, 'refused', evidence, null)
    say(talk, talk.phrases.understood)
    close(talk)
    return true
  }
  if (!done && heard.answer === 'no' && heard.content.length === 0) {
    if (talk.memory.question === talk.phrases.whatElse) close(talk)
    else ask(talk, talk.phrases.whatElse, 'anything_else')
    return true
  }
  if (!done && heard.question) {
    say(talk, talk.phrases.unknown)
    sayIfShort(talk, talk.phrases.passOn)
    askAgain(talk)
    return true
  }
  close(talk)
  return true
}

function noteCondition(talk: Talk, heard: Understanding): boolean {
  if (!heard.conditional || heard.question || heard.content.length < 4) return false
  talk.memory.conditions.push(shorten(heard.text, 24))
  return true
}

/** The line answers what was asked. Whatever else it asks is answered in the same breath. */
function answer(talk: Talk, line: Line): boolean {
  const { heard } = line
  const topic = currentTopic(talk)
  if (topic === undefined || talk.memory.pending === 'nothing') return false
  const elsewhere = heard.intents.has('not_available') && !topic.wants.some(({ type }) => type === 'time' || type === 'date')
  const later = heard.intents.has('call_back') || heard.intents.has('will_call_back')
  if (elsewhere || later) return false
  const kind = talk.memory.pending === 'content' ? 'information' : topic.kind
  const verdict = judge(heard, { ...topic, kind }, talk.memory.language)
  if (verdict.type === 'none') return false
  if (talk.memory.pending !== 'topic' && talk.memory.pending !== 'content') return weighOtherAnswer(talk, line, topic, verdict)
  return applyVerdict(talk, line, verdict)
}

function applyVerdict(talk: Talk, line: Line, verdict: Verdict): boolean {
  const { heard, evidence } = line
  const { memory, phrases } = talk
  const index = memory.current
  switch (verdict.type) {
    case 'met':
      settle(talk, index, 'met', evidence, verdict.result)
      if (verdict.conditional && noteCondition(talk, heard)) sayIfShort(talk, phrases.condition)
      else thank(talk)
      goOn(talk, heard)
      return true
    case 'offer':
      weighOffer(talk, line, verdict.proposal)
      return true
    case 'refused':
      return refused(talk, line)
    case 'maybe':
      if (stateOf(talk, index).asked < 2) {
        stateOf(talk, index).asked += 1
        sayIfShort(talk, phrases.understood)
        ask(talk, phrases.firmYes, 'firm_yes')
      } else leaveOpen(talk, line)
      return true
    case 'unknown':
      leaveOpen(talk, line)
      return true
    case 'go_ahead':
      if (memory.pending === 'content') leaveOpen(talk, line)
      else ask(talk, currentTopic(talk)?.kind === 'help' ? phrases.howToGoAbout : phrases.goAhead, 'content')
      return true
    case 'none':
      return false
  }
}

/** Once more for something close to it, then it is a no. */
function refused(talk: Talk, line: Line): boolean {
  const { memory, phrases } = talk
  const topic = currentTopic(talk)
  const state = stateOf(talk, memory.current)
  state.quote = line.evidence.quote
  state.turn = line.evidence.turn
  sayIfShort(talk, phrases.understood)
  const firm = line.heard.intents.has('decline') || line.heard.intents.has('goodbye') || state.asked >= 2
  if (!firm && topic?.kind === 'request') {
    state.asked += 1
    ask(talk, inTone(phrases.alternative, talk.tone), 'alternative')
    return true
  }
  if (!firm && topic?.kind === 'information') {
    state.asked += 1
    say(talk, phrases.stillAsk)
    askAgain(talk)
    return true
  }
  settle(talk, memory.current, 'refused', line.evidence, null)
  if (topic?.kind === 'message') {
    // A reminder that no longer fits: what would is worth knowing.
    say(talk, phrases.passOn)
    if (topic.question.endsWith(inTone(phrases.ask.stillFits, talk.tone)) && !line.heard.intents.has('goodbye')) {
      ask(talk, phrases.otherTime, 'other_time')
      return true
    }
  }
  goOn(talk, line.heard)
  return true
}

/** What would suit better than the appointment one was reminded of. */
function otherTime(talk: Talk, { heard, evidence }: Line): boolean {
  const { memory } = talk
  if (memory.pending !== 'other_time' || heard.question) return false
  memory.pending = 'nothing'
  if (heard.answer !== 'no' && !heard.intents.has('dont_know') && heard.content.length > 0) {
    const state = stateOf(talk, memory.current)
    state.counterOffer = withoutFinalStop(shorten(heard.text, 16))
    state.quote = evidence.quote
    state.turn = evidence.turn
  }
  thank(talk)
  goOn(talk, heard)
  return true
}

function leaveOpen(talk: Talk, { heard, evidence }: Line): void {
  settle(talk, talk.memory.current, 'open', evidence, null)
  sayIfShort(talk, talk.phrases.understood)
  goOn(talk, heard)
}

function callLater(talk: Talk, { heard, evidence }: Line): boolean {
  const { memory, phrases } = talk
  if (heard.intents.has('will_call_back')) {
    memory.callback = shorten(heard.text, 16)
    say(talk, phrases.willWait)
    close(talk)
    return true
  }
  if (heard.intents.has('take_message')) {
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
    sayIfShort(talk, phrases.callbackNoted, { x: times.map((value) => sayValue(value, memory.language)).join(', ') })
    close(talk)
    return true
  }
  ask(talk, inTone(phrases.whenToCall, talk.tone), 'callback_time')
  return true
}

function goodbye(talk: Talk, { heard }: Line): boolean {
  if (!heard.intents.has('goodbye')) return false
  close(talk)
  return true
}

function aboutCall(talk: Talk, { heard }: Line): boolean {
  const told = answerAboutCall(talk, heard)
  const needs = answerNeeds(talk, heard)
  if (!told && !needs) return false
  talk.memory.misheard = 0
  const lost = heard.intents.has('who_is_this') || heard.intents.has('are_you_robot')
  if (lost && !heard.intents.has('why_calling') && /\bthat\b/.test(talk.memory.question)) sayIfShort(talk, talk.purpose.sentence)
  askAgain(talk, heard.intents.has('repeat') || heard.intents.has('slower') || heard.intents.has('louder'))
  return true
}

function notUnderstood(talk: Talk, line: Line): boolean {
  const { memory, phrases } = talk
  const { heard } = line
  memory.misheard += 1
  const state = stateOf(talk, memory.current)
  if (memory.offer !== null && memory.misheard > 1) {
    confirmOffer(talk, memory.offer)
    leaveOpen(talk, line)
    return true
  }
  if (memory.pending !== 'nothing' && memory.misheard >= ASKED_MAX) {
    leaveOpen(talk, { ...line, evidence: { quote: state.quote, turn: state.turn } })
    return true
  }
  const greeted = heard.intents.has('greeting') && heard.content.length < 2
  if (heard.question && !greeted) say(talk, phrases.unknown)
  else if (!greeted) sayIfShort(talk, phrases.notUnderstood)
  askAgain(talk, greeted)
  return true
}
