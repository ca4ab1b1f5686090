import { isQuestion, onBehalf, personToCallee, startsWithVerb } from '../wording/english-grammar.ts'
import { fold, shorten, withoutFinalStop } from '../hearing/text.ts'
import { NEEDS } from '../hearing/lexicon.ts'
import { understand } from '../hearing/understand.ts'
import { conditionIn } from '../bargaining/conditions.ts'
import { isUnlimited } from '../mandate/limits.ts'
import { spokenIn } from '../mandate/mandate.ts'
import { readNote } from '../mandate/reading.ts'
import { skeleton } from '../mandate/whole.ts'
import { bestOf } from '../bargaining/negotiate.ts'
import { optionsIn } from '../bargaining/offer.ts'
import { tell } from './asides.ts'
import { addTopic, ask, enterTopic, mandateOf, say, stateOf, type Talk } from './talk.ts'
import { askAgain, close, confirmOffer, isAgreed } from '../bargaining/progress.ts'

/** Follows an instruction of the user. Limits are kept secret; facts are used or passed on. */
export function follow(talk: Talk, instruction: string): void {
  const text = withoutFinalStop(
    instruction
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/^(?:please|kindly|also)[, ]\s*/i, '')
      .replace(/^(\w+) also /i, '$1 ')
      .replace(/,? (?:as well|too)$/i, ''),
  )
  if (
    /^(?:hang up|end (?:the|this) call|wrap (?:it )?up|say goodbye|stop(?: now)?|finish|that's enough)\b/i.test(text)
  ) {
    close(talk)
    return
  }
  if (acceptsOffer(talk, text)) return
  if (learnsFact(talk, text)) return
  const isLimit = !isUnlimited(readNote(text, spokenIn(text, talk.order), null))
  if (isLimit) talk.memory.steering.push(text)
  const message =
    /^(?:tell (?:them|him|her|the \w+)|let (?:them|him|her) know|inform (?:them|him|her)|say|mention|add)(?: that| about)? (.+)$/i.exec(
      text,
    )
  if (message !== null) {
    relay(talk, message[1] ?? '')
    return
  }
  if (isLimit) {
    reconsider(talk)
    return
  }
  if (isQuestion(text) || startsWithVerb(text)) {
    askNow(talk, text)
    return
  }
  if (/^(?:we|i|it|there|my|our|the|he|she|they)\b/i.test(text)) relay(talk, text)
  else talk.memory.steering.push(text)
}

/** The topic of the last offer that was not agreed to. */
function onTheTable(talk: Talk): number {
  const { memory } = talk
  const isOpen = (index: number): boolean => {
    const state = stateOf(talk, index)
    return !isAgreed(state) && (state.counterOffer !== null || (index === memory.current && memory.offer !== null))
  }
  return isOpen(memory.current) ? memory.current : talk.topics.findLastIndex((_, index) => isOpen(index))
}

/** Words of a plain yes to an offer; § stands for a value. Any other word sets a condition. */
const ACCEPTING =
  /^(?:(?:§|yes|yeah|sure|ok|okay|fine|good|great|perfect|please|accept|agree|take|book|go|do|for|with|to|it|that|this|their|the|offer|table|room|price|at|on|is|'s|then|all right|alright|i|we|works?|me|us)(?= |'|$) ?)+$/

/** "Take it", "that is fine": agrees to the open offer. */
function acceptsOffer(talk: Talk, text: string): boolean {
  const { memory } = talk
  const index = onTheTable(talk)
  if (index < 0 || memory.closed) return false
  if (
    !/^(?:(?:yes|ok|okay|accept|agree|take|fine|go for|go with)\b|(?:that|it|this)(?:'s| is) (?:fine|ok|okay|good))/i.test(
      text,
    )
  )
    return false
  if (!ACCEPTING.test(skeleton(fold(text), 'en', 'time'))) return false
  const state = stateOf(talk, index)
  const offer = index === memory.current ? memory.offer : null
  const result = offer?.result ?? state.counterOffer
  if (result === null) return false
  const topic = talk.topics[index] ?? talk.purpose.topic
  const named = optionsIn(understand(text, 'en'), topic, mandateOf(talk, index), 'en').filter(
    ({ values }) => values.length > 0,
  )
  if (named.length > 0 && named.every((option) => option.result !== result)) return false
  enterTopic(talk, index)
  confirmOffer(talk, offer ?? { result, isAsked: false, quote: state.quote ?? '', turn: state.turn })
  return true
}

/** "The name is Smith": passed on at once when the callee had asked for it. */
function learnsFact(talk: Talk, text: string): boolean {
  const fact =
    /^(?:(?:the|my|our|his|her|their) )?((?:\w+ ){0,2}(?:name|phone|number|email|e-mail|address|reference|birthday|date of birth|party size|date|time|code|id)) (?:is|are|=|:) ?(.+)$/i.exec(
      text,
    ) ?? /^([\w ]{2,30}): (.+)$/.exec(text)
  if (fact === null) return false
  const key = (fact[1] ?? '').trim().toLowerCase()
  talk.memory.facts[key] = fact[2] ?? ''
  const need = NEEDS.find((name) => talk.memory.missing.includes(name))
  if (need === undefined) return true
  talk.memory.missing = talk.memory.missing.filter((name) => name !== need)
  say(talk, talk.phrases.nowKnown)
  tell(talk, need)
  if (talk.memory.pending !== 'nothing') askAgain(talk)
  return true
}

/** Weighs open offers again after a wider limit. */
function reconsider(talk: Talk): void {
  const { memory } = talk
  const index = onTheTable(talk)
  const topic = talk.topics[index]
  if (topic === undefined || memory.pending === 'agreement' || memory.closed) return
  const state = stateOf(talk, index)
  const mandate = mandateOf(talk, index)
  const heard = understand(state.quote ?? '', memory.language)
  const best = bestOf(mandate, optionsIn({ ...heard, answer: 'none' }, topic, mandate, memory.language))
  if (best === null || best.permission === 'no' || conditionIn(heard, memory.language) !== null) return
  enterTopic(talk, index)
  confirmOffer(talk, { result: best.option.result, isAsked: false, quote: state.quote ?? '', turn: state.turn })
}

function relay(talk: Talk, message: string): void {
  say(talk, talk.phrases.relayed, { x: shorten(onBehalf(personToCallee(message), talk.owner), 22) })
  if (talk.memory.opened && talk.memory.pending !== 'nothing' && !talk.memory.waiting) askAgain(talk)
}

function askNow(talk: Talk, text: string): void {
  const index = addTopic(talk, text)
  const topic = talk.topics[index]
  if (topic === undefined) return
  enterTopic(talk, index)
  stateOf(talk, index).asked += 1
  ask(talk, topic.question, 'topic')
}
