import type { Outcome } from '@parley/contract'
import type { Asked, Conclusion } from '@parley/voice-ports'
import type { EndReason } from '@parley/contract'
import { hear } from '../conversation/heard.ts'
import { isAgreed, outcomeOf } from '../bargaining/progress.ts'
import { summarize } from './summary.ts'
import { beginTalk, isLimit, stateOf, type Talk } from '../conversation/talk.ts'

/** After the call: what became of each objective, and what the person who ordered it should know. */
export function conclude(asked: Omit<Asked, 'cue'> & { readonly endReason: EndReason }): Conclusion {
  const talk = beginTalk(asked)
  weighLastWords(talk)
  leaveOffersOpen(talk)
  followRules(talk)
  const outcomes: Outcome[] = talk.order.objectives.map((_, index) => outcomeOf(talk, index))
  return { outcomes, summary: summarize(talk, asked.endReason) }
}

/** "Yes, fine, bye", and the line is dead: no reply was used, but the answer counts. */
function weighLastWords(talk: Talk): void {
  const unweighed = talk.turns.filter(({ speaker, index }) => speaker === 'user' && index > talk.memory.weighedTurn)
  if (unweighed.length === 0 || !talk.memory.opened || talk.memory.closed) return
  hear(talk, unweighed.map(({ text }) => text).join(' '))
}

/** An offer nobody confirmed is not agreed: it stays on the table. */
function leaveOffersOpen(talk: Talk): void {
  const { offer, current, topics } = talk.memory
  const state = topics[current]
  if (offer !== null && offer.quote !== null && state?.status === 'waiting' && !offer.isAsked)
    Object.assign(state, { quote: offer.quote, turn: offer.turn, counterOffer: offer.result })
  for (const one of topics)
    if (one.counterOffer !== null && (one.status === 'waiting' || one.status === 'open')) one.status = 'offered'
}

/** "Do not accept another time" asks nothing: it is kept where what it limits was got. */
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
