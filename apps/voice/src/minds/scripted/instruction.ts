import { isQuestion, onBehalf, personToCallee, startsWithVerb } from './wording/english-grammar.ts'
import { shorten, withoutFinalStop } from './hearing/text.ts'
import { NEEDS } from './hearing/lexicon.ts'
import { understand } from './hearing/understand.ts'
import { limitsFrom, permits, setsLimit } from './limits.ts'
import { proposalIn } from './offer.ts'
import { tell } from './asides.ts'
import { addTopic, ask, enterTopic, say, stateOf, type Talk } from './talk.ts'
import { askAgain, close, confirmOffer } from './progress.ts'

/** What the person behind the call says to the agent. Limits are kept to ourselves; the rest is used or passed on. */
export function follow(talk: Talk, instruction: string): void {
  const text = withoutFinalStop(
    instruction
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/^(?:please|kindly|also)[, ]\s*/i, '')
      .replace(/^(\w+) also /i, '$1 ')
      .replace(/,? (?:as well|too)$/i, ''),
  )
  if (/^(?:hang up|end (?:the|this) call|wrap (?:it )?up|say goodbye|stop(?: now)?|finish|that's enough)\b/i.test(text)) {
    close(talk)
    return
  }
  if (acceptsOffer(talk, text)) return
  if (learnsFact(talk, text)) return
  if (setsLimit(text, 'en')) {
    talk.memory.steering.push(text)
    reconsider(talk)
    return
  }
  const message =
    /^(?:tell (?:them|him|her|the \w+)|let (?:them|him|her) know|inform (?:them|him|her)|say|mention|add)(?: that| about)? (.+)$/i.exec(
      text,
    )
  if (message !== null) {
    relay(talk, message[1] ?? '')
    return
  }
  if (isQuestion(text) || startsWithVerb(text)) {
    askNow(talk, text)
    return
  }
  if (/^(?:we|i|it|there|my|our|the|he|she|they)\b/i.test(text)) relay(talk, text)
  else talk.memory.steering.push(text)
}

/** "Take it", "8 pm is fine": agrees to what is on the table. */
function acceptsOffer(talk: Talk, text: string): boolean {
  const { memory } = talk
  const state = stateOf(talk, memory.current)
  const result = memory.offer?.result ?? state.counterOffer
  if (result === null || state.status === 'met') return false
  if (!/^(?:(?:yes|ok|okay|accept|agree|take|fine|go for|go with)\b|(?:that|it|this)(?:'s| is) (?:fine|ok|okay|good))/i.test(text))
    return false
  const otherOffer = proposalIn(understand(text, 'en'), talk.topics[memory.current] ?? talk.purpose.topic, 'en')
  if (otherOffer !== null && otherOffer.values.length > 0 && otherOffer.result !== result) return false
  confirmOffer(talk, memory.offer ?? { text: result, result, quote: state.quote ?? '', turn: state.turn })
  return true
}

/** "The name is Smith": told at once when the callee had asked for it. */
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

/** A wider limit may allow what had to be refused. */
function reconsider(talk: Talk): void {
  const { memory } = talk
  const topic = talk.topics[memory.current]
  const state = stateOf(talk, memory.current)
  if (topic === undefined || state.counterOffer === null || memory.pending === 'agreement' || state.status === 'met') return
  const proposal = proposalIn(understand(state.quote ?? '', memory.language), topic, memory.language)
  if (proposal === null) return
  const limits = limitsFrom(talk.order.context, memory.steering, memory.language)
  if (permits(limits, topic, proposal.values, true) !== 'yes') return
  confirmOffer(talk, { text: proposal.result, result: proposal.result, quote: state.quote ?? '', turn: state.turn })
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
