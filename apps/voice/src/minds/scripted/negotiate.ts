import type { Verdict } from './judge.ts'
import { limitsFrom, permits } from './limits.ts'
import { proposalIn, type Proposal } from './offer.ts'
import { ask, phrase, sayIfShort, say, stateOf, type Talk } from './talk.ts'
import { confirmOffer, goOn, settle, thank, type Line } from './progress.ts'
import { sayValue } from './hearing/extract.ts'
import type { Topic } from './topic.ts'

/** One step of negotiation: accept what the order does not forbid, ask for better once, or pass it on. */
export function weighOffer(talk: Talk, line: Line, proposal: Proposal): void {
  const { memory, phrases } = talk
  const topic = talk.topics[memory.current]
  if (topic === undefined) return
  const limits = limitsFrom(talk.order.context, memory.steering, memory.language)
  const pushed = memory.pending === 'better_offer'
  const offer = { text: proposal.result, result: proposal.result, quote: line.evidence.quote ?? '', turn: line.evidence.turn }
  const permission = permits(limits, topic, proposal.values, pushed)
  const state = stateOf(talk, memory.current)
  state.counterOffer = proposal.result
  state.quote = line.evidence.quote
  state.turn = line.evidence.turn
  if (permission === 'yes') {
    confirmOffer(talk, offer)
    return
  }
  const wanted = topic.wants.find(({ type }) => proposal.values.some((value) => value.type === type))
  if (permission === 'push' && wanted !== undefined) {
    state.asked += 1
    ask(talk, phrase(talk, phrases.betterOffer, { x: sayValue(wanted, memory.language) }), 'better_offer')
    return
  }
  settle(talk, memory.current, 'refused', line.evidence, null)
  say(talk, phrases.passOnOffer, { x: proposal.result })
  goOn(talk, line.heard)
}

/** An answer to something else than the first question: to "anything else instead?", "so that's 8 pm?" */
export function weighOtherAnswer(talk: Talk, line: Line, topic: Topic, verdict: Verdict): boolean {
  const { memory, phrases } = talk
  const index = memory.current
  const { heard, evidence } = line
  const offer = memory.offer
  if (memory.pending === 'agreement' && offer !== null && (verdict.type === 'met' || heard.answer === 'yes')) {
    settle(talk, index, 'met', { quote: offer.quote, turn: offer.turn }, offer.result)
    thank(talk)
    goOn(talk, heard)
    return true
  }
  if (verdict.type === 'offer') {
    if (offer !== null && verdict.proposal.result === offer.result && heard.answer !== 'no')
      return weighOtherAnswer(talk, line, topic, { type: 'met', result: offer.result, conditional: false })
    weighOffer(talk, line, verdict.proposal)
    return true
  }
  if (memory.pending === 'alternative' && verdict.type === 'met') {
    if (memory.question === phrases.whichAlternative) return leave(talk, line, 'open')
    ask(talk, phrases.whichAlternative, 'alternative')
    return true
  }
  if (verdict.type === 'met') {
    settle(talk, index, 'met', evidence, topic.subject)
    thank(talk)
    goOn(talk, heard)
    return true
  }
  return leave(talk, line, verdict.type === 'refused' ? 'refused' : 'open')
}

function leave(talk: Talk, line: Line, status: 'refused' | 'open'): boolean {
  const state = stateOf(talk, talk.memory.current)
  const refusedOffer = state.counterOffer
  settle(talk, talk.memory.current, status, line.evidence, null)
  sayIfShort(talk, talk.phrases.understood)
  if (status === 'refused' && refusedOffer !== null && talk.memory.pending === 'better_offer')
    say(talk, talk.phrases.passOnOffer, { x: refusedOffer })
  goOn(talk, line.heard)
  return true
}

/** "Okay, 138 is my final offer", about what had been left to the person behind the call. */
export function revive(talk: Talk, line: Line): boolean {
  const { memory } = talk
  const present = talk.topics[memory.current]
  for (const [index, topic] of talk.topics.entries()) {
    const state = stateOf(talk, index)
    if (index === memory.current || state.status !== 'refused' || state.counterOffer === null || topic.kind !== 'request') continue
    const proposal = proposalIn(line.heard, topic, memory.language)
    const about = proposal?.values.filter(
      ({ type }) => present?.expecting !== type && present?.wants.every((want) => want.type !== type) === true,
    )
    if (proposal === null || about === undefined || about.length === 0) continue
    memory.current = index
    memory.pending = 'better_offer'
    weighOffer(talk, line, proposal)
    return true
  }
  return false
}
