import { answerAboutCall, answerNeeds } from './asides.ts'
import { shorten, withoutFinalStop } from '../hearing/text.ts'
import { judge, type Verdict } from '../bargaining/judge.ts'
import { conditionIn } from '../bargaining/conditions.ts'
import { namesPremiumNumber } from '../bargaining/named-numbers.ts'
import { listed, optionOf, optionsIn } from '../bargaining/offer.ts'
import { proposeNext, revive, takenBack, weighOffer, weighOtherAnswer, type Offered } from '../bargaining/negotiate.ts'
import { askAgain, close, goOn, isAgreed, settle, thank, type Utterance } from '../bargaining/progress.ts'
import { asksWhether } from '../topic.ts'
import { ask, currentTopic, mandateOf, say, sayIfShort, stateOf, type Talk } from './talk.ts'
import { inTone } from '../wording/phrasebook.ts'

/** Handles an utterance that answers the question. Questions in it are answered in the same reply. */
export function answer(talk: Talk, utterance: Utterance): boolean {
  const { heard } = utterance
  const topic = currentTopic(talk)
  if (topic === undefined || talk.memory.pending === 'nothing') return false
  const elsewhere =
    heard.intents.has('not_available') && !topic.wants.some(({ type }) => type === 'time' || type === 'date')
  const later = heard.intents.has('call_back') || heard.intents.has('will_call_back')
  if (elsewhere || later) return false
  if (revive(talk, utterance)) return true
  const kind = talk.memory.pending === 'content' ? 'information' : topic.kind
  // After "anything else instead?" everything named is an offer.
  const mandate = mandateOf(talk, talk.memory.current)
  const { language } = talk.memory
  const isOpen = talk.memory.pending === 'alternative' || talk.memory.pending === 'price'
  const options = isOpen ? optionsIn({ ...heard, answer: 'none' }, topic, mandate, language) : []
  const judged: Verdict =
    options.length === 0
      ? judge(heard, { ...topic, kind }, mandate, language)
      : { type: 'offer', options, condition: conditionIn(heard, language) }
  // Where the user wants to be asked, even a plain yes is an offer.
  const verdict: Verdict =
    judged.type === 'met' && kind === 'request' && mandate.asksFirst
      ? { type: 'offer', options: [optionOf(topic, mandate, topic.wants, language)], condition: null }
      : judged
  if (verdict.type === 'none') return false
  if (verdict.type === 'met' && namesPremiumNumber(heard.text, talk)) {
    leaveOpen(talk, { ...utterance, evidence: { quote: null, turn: null } })
    return true
  }
  if (talk.memory.pending !== 'topic' && talk.memory.pending !== 'content')
    return weighOtherAnswer(talk, utterance, topic, verdict)
  return applyVerdict(talk, utterance, verdict)
}

function applyVerdict(talk: Talk, utterance: Utterance, verdict: Verdict): boolean {
  const { heard, evidence } = utterance
  const { memory, phrases } = talk
  const index = memory.current
  switch (verdict.type) {
    case 'met':
      settle(talk, index, 'met', evidence, verdict.result)
      thank(talk)
      goOn(talk, heard)
      return true
    case 'offer':
      if (currentTopic(talk)?.kind === 'message') suggested(talk, utterance, verdict)
      else weighOffer(talk, utterance, verdict)
      return true
    case 'refused':
      return refused(talk, utterance)
    case 'maybe':
      if (stateOf(talk, index).asked < 2) {
        stateOf(talk, index).asked += 1
        sayIfShort(talk, phrases.understood)
        ask(talk, phrases.firmYes, 'firm_yes')
      } else leaveOpen(talk, utterance)
      return true
    case 'unknown':
      leaveOpen(talk, utterance)
      return true
    case 'go_ahead':
      if (memory.pending === 'content' || heard.intents.has('goodbye')) leaveOpen(talk, utterance)
      else ask(talk, currentTopic(talk)?.kind === 'help' ? phrases.howToGoAbout : phrases.goAhead, 'content')
      return true
    case 'none':
      return false
  }
}

/** Asks once for an alternative, then takes it for a no. */
function refused(talk: Talk, utterance: Utterance): boolean {
  const { memory, phrases } = talk
  const topic = currentTopic(talk)
  const state = stateOf(talk, memory.current)
  state.quote = utterance.evidence.quote
  state.turn = utterance.evidence.turn
  sayIfShort(talk, phrases.understood)
  const firm = utterance.heard.intents.has('decline') || utterance.heard.intents.has('goodbye') || state.asked >= 2
  if (topic?.kind === 'request' && !utterance.heard.intents.has('goodbye') && proposeNext(talk)) return true
  if (!firm && topic?.kind === 'request' && !asksWhether(topic)) {
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
  settle(talk, memory.current, 'refused', utterance.evidence, null)
  if (topic?.kind === 'message') {
    // A reminder that no longer fits: asks what would.
    say(talk, phrases.passOn)
    if (topic.question.endsWith(inTone(phrases.ask.stillFits, talk.tone)) && !utterance.heard.intents.has('goodbye')) {
      ask(talk, phrases.otherTime, 'other_time')
      return true
    }
  }
  goOn(talk, utterance.heard)
  return true
}

/** Another time than that of the reminder is not the agent's to accept. */
function suggested(talk: Talk, { heard, evidence }: Utterance, { options }: Offered): void {
  const { memory } = talk
  const x = listed(options[0]?.values ?? [], memory.language)
  stateOf(talk, memory.current).counterOffer = x
  settle(talk, memory.current, 'offered', evidence, null)
  say(talk, talk.phrases.passOnOffer, { x })
  goOn(talk, heard)
}

/** Notes a better time than that of the reminder. */
export function otherTime(talk: Talk, { heard, evidence }: Utterance): boolean {
  const { memory } = talk
  if (memory.pending !== 'other_time' || heard.question) return false
  memory.pending = 'nothing'
  if (heard.answer !== 'no' && !heard.intents.has('dont_know') && heard.content.length > 0) {
    const state = stateOf(talk, memory.current)
    state.counterOffer = withoutFinalStop(shorten(heard.text, 16))
    settle(talk, memory.current, 'offered', evidence, null)
  }
  thank(talk)
  goOn(talk, heard)
  return true
}

export function leaveOpen(talk: Talk, { heard, evidence }: Utterance): void {
  const { counterOffer } = stateOf(talk, talk.memory.current)
  settle(talk, talk.memory.current, counterOffer === null ? 'open' : 'offered', evidence, null)
  sayIfShort(talk, talk.phrases.understood)
  goOn(talk, heard)
}

/** "Is that everything?" */
export function afterAgreement(talk: Talk, utterance: Utterance): boolean {
  if (talk.memory.pending !== 'anything_else') return false
  const { heard, evidence } = utterance
  if (takenBack(talk, utterance) || lateCondition(talk, utterance)) return true
  const done = heard.intents.has('nothing_else') || heard.intents.has('goodbye')
  if (!done && (answerAboutCall(talk, heard) || answerNeeds(talk, heard))) {
    ask(talk, talk.phrases.anythingElse, 'anything_else')
    return true
  }
  const isTakenBack =
    heard.answer === 'no' &&
    /\b(?:actually|wait|sorry|after all|mistake)\b/.test(heard.plain) &&
    heard.content.length > 2
  if (isTakenBack) {
    const index = talk.memory.topics.findLastIndex(
      (state, at) => isAgreed(state) && talk.topics[at]?.kind === 'request',
    )
    say(talk, talk.phrases.understood)
    if (index < 0) close(talk)
    else {
      settle(talk, index, 'refused', evidence, null)
      talk.memory.current = index
      ask(talk, inTone(talk.phrases.alternative, talk.tone), 'alternative')
    }
    return true
  }
  if (!done && heard.answer === 'no' && heard.content.length === 0) {
    if (talk.memory.question === talk.phrases.whatElse || talk.memory.question === talk.phrases.anythingElse)
      close(talk)
    else ask(talk, talk.phrases.whatElse, 'anything_else')
    return true
  }
  if (!done && heard.question) {
    say(talk, talk.phrases.unknown)
    sayIfShort(talk, talk.phrases.passOn)
    ask(talk, talk.phrases.anythingElse, 'anything_else')
    return true
  }
  close(talk)
  return true
}

/** A condition added after the agreement: "there is a deposit of 50 dollars, by the way". */
function lateCondition(talk: Talk, { heard, evidence }: Utterance): boolean {
  const { memory } = talk
  const index = memory.topics.findLastIndex((state, at) => isAgreed(state) && talk.topics[at]?.kind === 'request')
  const condition = heard.question ? null : conditionIn(heard, memory.language)
  if (index < 0 || condition === null) return false
  const state = stateOf(talk, index)
  state.counterOffer = `${state.result ?? ''}, ${condition}`
  settle(talk, index, 'offered', evidence, null)
  say(talk, talk.phrases.condition)
  close(talk)
  return true
}
