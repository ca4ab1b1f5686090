import { answerAboutCall, answerNeeds } from './asides.ts'
import { shorten, withoutFinalStop } from '../hearing/text.ts'
import { judge, type Verdict } from '../bargaining/judge.ts'
import { conditionIn } from '../bargaining/conditions.ts'
import { namesDear } from '../bargaining/named-numbers.ts'
import { listed, optionsIn } from '../bargaining/offer.ts'
import { proposeNext, revive, takenBack, weighOffer, weighOtherAnswer, type Offered } from '../bargaining/negotiate.ts'
import { askAgain, close, goOn, isAgreed, settle, thank, type Line } from '../bargaining/progress.ts'
import { asksWhether } from '../topic.ts'
import { ask, currentTopic, mandateOf, say, sayIfShort, stateOf, type Talk } from './talk.ts'
import { inTone } from '../wording/phrasebook.ts'

/** The line answers what was asked. Whatever else it asks is answered in the same breath. */
export function answer(talk: Talk, line: Line): boolean {
  const { heard } = line
  const topic = currentTopic(talk)
  if (topic === undefined || talk.memory.pending === 'nothing') return false
  const elsewhere =
    heard.intents.has('not_available') && !topic.wants.some(({ type }) => type === 'time' || type === 'date')
  const later = heard.intents.has('call_back') || heard.intents.has('will_call_back')
  if (elsewhere || later) return false
  if (revive(talk, line)) return true
  const kind = talk.memory.pending === 'content' ? 'information' : topic.kind
  // Asked for something else, whatever is named is an offer.
  const mandate = mandateOf(talk, talk.memory.current)
  const { language } = talk.memory
  const isOpen = talk.memory.pending === 'alternative' || talk.memory.pending === 'price'
  const options = isOpen ? optionsIn({ ...heard, answer: 'none' }, topic, mandate, language) : []
  const verdict: Verdict =
    options.length === 0
      ? judge(heard, { ...topic, kind }, mandate, language)
      : { type: 'offer', options, condition: conditionIn(heard, language) }
  if (verdict.type === 'none') return false
  if (verdict.type === 'met' && namesDear(heard.text, talk)) {
    leaveOpen(talk, { ...line, evidence: { quote: null, turn: null } })
    return true
  }
  if (talk.memory.pending !== 'topic' && talk.memory.pending !== 'content')
    return weighOtherAnswer(talk, line, topic, verdict)
  return applyVerdict(talk, line, verdict)
}

function applyVerdict(talk: Talk, line: Line, verdict: Verdict): boolean {
  const { heard, evidence } = line
  const { memory, phrases } = talk
  const index = memory.current
  switch (verdict.type) {
    case 'met':
      settle(talk, index, 'met', evidence, verdict.result)
      thank(talk)
      goOn(talk, heard)
      return true
    case 'offer':
      if (currentTopic(talk)?.kind === 'message') suggested(talk, line, verdict)
      else weighOffer(talk, line, verdict)
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
      if (memory.pending === 'content' || heard.intents.has('goodbye')) leaveOpen(talk, line)
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
  if (topic?.kind === 'request' && !line.heard.intents.has('goodbye') && proposeNext(talk)) return true
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

/** Another time than the one they were reminded of is not ours to agree to. */
function suggested(talk: Talk, { heard, evidence }: Line, { options }: Offered): void {
  const { memory } = talk
  const x = listed(options[0]?.values ?? [], memory.language)
  stateOf(talk, memory.current).counterOffer = x
  settle(talk, memory.current, 'offered', evidence, null)
  say(talk, talk.phrases.passOnOffer, { x })
  goOn(talk, heard)
}

/** What would suit better than the appointment one was reminded of. */
export function otherTime(talk: Talk, { heard, evidence }: Line): boolean {
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

export function leaveOpen(talk: Talk, { heard, evidence }: Line): void {
  const { counterOffer } = stateOf(talk, talk.memory.current)
  settle(talk, talk.memory.current, counterOffer === null ? 'open' : 'offered', evidence, null)
  sayIfShort(talk, talk.phrases.understood)
  goOn(talk, heard)
}

/** "Is that everything?" */
export function afterAgreement(talk: Talk, line: Line): boolean {
  if (talk.memory.pending !== 'anything_else') return false
  const { heard, evidence } = line
  if (takenBack(talk, line) || lateCondition(talk, line)) return true
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

/** "There is a deposit of 50 dollars, by the way": what was agreed hangs on more than was asked. */
function lateCondition(talk: Talk, { heard, evidence }: Line): boolean {
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
