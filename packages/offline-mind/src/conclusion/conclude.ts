import type { Outcome } from '@parley/contract'
import type { Conclusion, EndedCall } from '@parley/voice-ports'
import { hear } from '../conversation/heard.ts'
import { isAgreed, outcomeOf } from '../bargaining/progress.ts'
import { summarize } from './summary.ts'
import { beginTalk, isLimit, stateOf, type Talk } from '../conversation/talk.ts'

/** Concludes after the call: the outcome of each objective and the summary for the user. */
export function conclude(asked: EndedCall): Conclusion {
  const talk = beginTalk(asked)
  weighLastWords(talk)
  leaveOffersOpen(talk)
  followRules(talk)
  const outcomes: Outcome[] = talk.order.objectives.map((_, index) => outcomeOf(talk, index))
  return { outcomes, summary: summarize(talk, asked.endReason) }
}

/** "Yes, fine, bye", then the hang-up: no reply was used, but the answer counts. */
function weighLastWords(talk: Talk): void {
  const unweighed = talk.turns.filter(({ speaker, index }) => speaker === 'user' && index > talk.memory.weighedTurn)
  if (unweighed.length === 0 || !talk.memory.opened || talk.memory.closed) return
  hear(talk, unweighed.map(({ text }) => text).join(' '))
}

/** An offer that was not confirmed is not agreed: it stays open. */
function leaveOffersOpen(talk: Talk): void {
  const { offer, current, topics } = talk.memory
  const state = topics[current]
  if (offer !== null && offer.quote !== null && state?.status === 'waiting' && !offer.isAsked)
    Object.assign(state, { quote: offer.quote, turn: offer.turn, counterOffer: offer.result })
  for (const one of topics)
    if (one.counterOffer !== null && (one.status === 'waiting' || one.status === 'open')) one.status = 'offered'
}

/** A rule such as "do not accept another time" counts as met when what it limits was met. */
function followRules(talk: Talk): void {
  const asked = talk.topics.flatMap(({ kind, question }, index) =>
    kind === 'request' && question !== '' ? [stateOf(talk, index)] : [],
  )
  const last = asked.at(-1)
  if (last === undefined || !asked.every(isAgreed)) return
  for (const [index, { question }] of talk.topics.entries())
    if (question === '' && isLimit(talk, index))
      Object.assign(stateOf(talk, index), { status: 'met', quote: last.quote, turn: last.turn })
}
