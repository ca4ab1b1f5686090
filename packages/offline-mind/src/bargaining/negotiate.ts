import { conditionIn } from './conditions.ts'
import { speaksOfLess, type Verdict } from './judge.ts'
import type { Mandate } from '../mandate/mandate.ts'
import type { Spoken } from '../memory.ts'
import { permits, permitsThing, rankOf, type Permission } from '../mandate/permits.ts'
import { isPutForward, listed, optionOf, optionsIn, type Option } from './offer.ts'
import { askAgain, close, confirmOffer, goOn, isAgreed, settle, thank, type Utterance } from './progress.ts'
import { ask, currentTopic, mandateOf, phrase, say, sayIfShort, stateOf, type Talk } from '../conversation/talk.ts'
import type { Topic } from '../topic.ts'

/** An offer and its condition. */
export interface Offered {
  readonly options: readonly Option[]
  readonly condition: string | null
}

interface Weighed {
  readonly option: Option
  readonly permission: Permission
}

/** The option that the order allows best. */
export function bestOf(mandate: Mandate, options: readonly Option[]): Weighed | null {
  const order: readonly Permission[] = ['as_asked', 'within', 'no']
  const weighed = options.map((option): Weighed => {
    const permission =
      option.values.length > 0 ? permits(mandate, option.values) : permitsThing(mandate, option.offer) ? 'within' : 'no'
    return { option, permission }
  })
  const key = ({ option, permission }: Weighed): readonly number[] => [
    order.indexOf(permission),
    rankOf(mandate, option.values),
    distance(mandate, option),
  ]
  return (
    weighed.toSorted((a, b) => {
      const [left, right] = [key(a), key(b)]
      return left.map((one, at) => one - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0
    })[0] ?? null
  )
}

function distance({ asked }: Mandate, { values }: Option): number {
  const wanted = asked.find(({ type }) => type === 'time')
  const time = values.find(({ type }) => type === 'time')
  return wanted?.type === 'time' && time?.type === 'time' ? Math.abs(time.minutes - wanted.minutes) : 0
}

/** One step of negotiation: agrees to what the order allows, asks for better once, or notes the offer for the user. */
export function weighOffer(talk: Talk, utterance: Utterance, { options, condition }: Offered): void {
  const { memory, phrases } = talk
  const topic = currentTopic(talk)
  const mandate = mandateOf(talk, memory.current)
  const best = bestOf(mandate, options)
  if (topic === undefined || best === null) return
  const { option, permission } = best
  const state = stateOf(talk, memory.current)
  const last = memory.pending
  Object.assign(state, {
    counterOffer: permission === 'as_asked' ? state.counterOffer : option.offer,
    quote: utterance.evidence.quote,
    turn: utterance.evidence.turn,
  })
  if (condition !== null) {
    state.counterOffer = option.offer.includes(condition) ? option.offer : `${option.offer}, ${condition}`
    note(talk, utterance)
    return
  }
  if (permission !== 'no' && !isHedged(utterance, option)) {
    const isPrice =
      option.values.length > 0 && option.values.every(({ type }) => type === 'money' || type === 'percent')
    if (permission === 'within' && isPrice && isPriceOf(utterance, memory.language)) {
      settle(talk, memory.current, 'met_within_limits', utterance.evidence, option.result)
      thank(talk)
      goOn(talk, utterance.heard)
      return
    }
    confirmOffer(talk, {
      result: option.result,
      isAsked: permission === 'as_asked',
      quote: utterance.evidence.quote ?? '',
      turn: utterance.evidence.turn,
    })
    return
  }
  if (mandate.asksFirst) {
    note(talk, utterance)
    return
  }
  if (isVaguePrice(mandate, utterance, option) && last !== 'price' && last !== 'better_offer') {
    ask(talk, phrases.whichPrice, 'price')
    return
  }
  const wanted = topic.wants.find(({ type }) => isBargained(type) && option.values.some((value) => value.type === type))
  if (wanted !== undefined && last !== 'better_offer' && last !== 'agreement') {
    ask(talk, phrase(talk, phrases.betterOffer, { x: listed([wanted], memory.language) }), 'better_offer')
    return
  }
  note(talk, utterance)
}

const NAMES_PRICE =
  /\b(?:it|that|this|which|price|rate|total|rooms?|one|all)(?: \w+)?(?:'s|'d| is| are| would| will| makes?| comes?| costs?)\b|\b(?:for|at|to)\b|\b(?:possible|offer|give|do|son|serian?|es|cuesta|c'est|ce serait|coute|ist|sind|ware|waren|kostet|macht)\b/
const TELLS_OF_OTHERS =
  /\b(?:used to|was|were|had|pays?|paid|last (?:year|time|month)|before|normally|usually|neighbou?r|others?|somebody|elsewhere)\b/

/** "Your neighbour pays 110 dollars" is no offer: it is asked back. */
function isPriceOf({ heard }: Utterance, language: Spoken): boolean {
  const isBare = isPutForward(heard.text, language) || heard.content.length <= 3 || heard.answer === 'yes'
  return !tellsOfOthers(heard) && (isBare || NAMES_PRICE.test(heard.plain))
}

export function tellsOfOthers({ plain }: Utterance['heard']): boolean {
  return TELLS_OF_OTHERS.test(plain)
}

function isBargained(type: string): boolean {
  return type === 'money' || type === 'percent' || type === 'count'
}

const HEDGED =
  /\b(?:about|around|roughly|approximately|from|starting|at least|or so|upwards|or more|over|more than|between|plus|a partir de|desde|unos|alrededor|a partir|environ|des|ab|etwa|ungefahr|circa|mindestens)\b/

/** "From 110 dollars" names no price one could agree to. */
export function isHedged({ heard }: Pick<Utterance, 'heard'>, { values }: Option): boolean {
  return values.some(({ type }) => type === 'money') && HEDGED.test(heard.plain)
}

/** Less than before is no price. */
function isVaguePrice(mandate: Mandate, { heard }: Utterance, { values }: Option): boolean {
  const bounded = mandate.ordered.some(({ bounds }) => bounds.some(({ value }) => value.type === 'money'))
  const priced = bounded || mandate.asked.some(({ type }) => type === 'money')
  return priced && (values.length === 0 ? speaksOfLess(heard) : values.every(({ type }) => type === 'percent'))
}

/** Notes the offer without agreeing; the user decides. */
function note(talk: Talk, utterance: Utterance): void {
  const { memory, phrases } = talk
  const state = stateOf(talk, memory.current)
  settle(talk, memory.current, 'offered', { quote: state.quote, turn: state.turn }, null)
  say(talk, phrases.noteOffer, { x: state.counterOffer ?? '' })
  goOn(talk, utterance.heard)
}

/** Weighs an answer to another question than the topic's own, such as "anything else instead?". */
export function weighOtherAnswer(talk: Talk, utterance: Utterance, topic: Topic, verdict: Verdict): boolean {
  const { memory, phrases } = talk
  const { heard, evidence } = utterance
  if (memory.pending === 'agreement') return weighAgreement(talk, utterance, verdict)
  if (verdict.type === 'offer') {
    weighOffer(talk, utterance, verdict)
    return true
  }
  if (memory.pending === 'alternative' && verdict.type === 'met') {
    if (verdict.isNamed) return confirmAsked(talk, utterance, topic)
    if (memory.question === phrases.whichAlternative) return leave(talk, utterance, 'open')
    ask(talk, phrases.whichAlternative, 'alternative')
    return true
  }
  if ((memory.pending === 'better_offer' || memory.pending === 'price') && verdict.type === 'met') {
    if (memory.pending === 'better_offer' || verdict.isNamed) return confirmAsked(talk, utterance, topic)
    note(talk, utterance)
    return true
  }
  if (verdict.type === 'met') {
    settle(talk, memory.current, 'met', evidence, topic.subject)
    thank(talk)
    goOn(talk, heard)
    return true
  }
  return leave(talk, utterance, verdict.type === 'refused' ? 'refused' : 'open')
}

function confirmAsked(talk: Talk, { evidence }: Utterance, topic: Topic): boolean {
  confirmOffer(talk, { result: topic.subject, isAsked: true, quote: evidence.quote ?? '', turn: evidence.turn })
  return true
}

/** The answer to "so that's 8 pm, is that right?" */
function weighAgreement(talk: Talk, utterance: Utterance, verdict: Verdict): boolean {
  const { memory } = talk
  const { heard, evidence } = utterance
  const { offer } = memory
  const topic = currentTopic(talk)
  if (offer === null || topic === undefined) return leave(talk, utterance, 'open')
  const named = verdict.type === 'offer' ? bestOf(mandateOf(talk, memory.current), verdict.options) : null
  const isOther = named !== null && named.option.result !== offer.result
  if (verdict.type === 'offer' && verdict.condition !== null) {
    const state = stateOf(talk, memory.current)
    Object.assign(state, {
      counterOffer: `${offer.result}, ${verdict.condition}`,
      quote: evidence.quote,
      turn: evidence.turn,
    })
    note(talk, utterance)
    return true
  }
  if (verdict.type === 'offer' && isOther) {
    weighOffer(talk, utterance, verdict)
    return true
  }
  if (verdict.type === 'met' && verdict.isNamed && !offer.isAsked) return confirmAsked(talk, utterance, topic)
  if (verdict.type === 'met' || heard.answer === 'yes' || (verdict.type === 'offer' && heard.answer !== 'no')) {
    const { quote, turn } = offer.quote === null ? evidence : offer
    settle(talk, memory.current, offer.isAsked ? 'met' : 'met_within_limits', { quote, turn }, offer.result)
    stateOf(talk, memory.current).counterOffer = null
    thank(talk)
    goOn(talk, heard)
    return true
  }
  if (verdict.type === 'refused' || heard.answer === 'no') {
    // An offer that was taken back no longer counts.
    stateOf(talk, memory.current).counterOffer = null
    memory.offer = null
    if (offer.quote === null && proposeNext(talk)) return true
    return leave(talk, utterance, 'refused')
  }
  return leave(talk, utterance, 'open')
}

/** Proposes the order's next alternative: "preferably at 7, otherwise at 8:30". */
export function proposeNext(talk: Talk): boolean {
  const { memory } = talk
  const topic = currentTopic(talk)
  const state = stateOf(talk, memory.current)
  const mandate = mandateOf(talk, memory.current)
  if (topic === undefined) return false
  const wishes = mandate.preferences.map((values) => optionOf(topic, mandate, values, memory.language))
  const next = wishes.filter(({ values }) => permits(mandate, values) === 'within')[state.proposed]
  if (next === undefined) return false
  state.proposed += 1
  confirmOffer(talk, { result: next.result, isAsked: false, quote: null, turn: null })
  return true
}

function leave(talk: Talk, utterance: Utterance, status: 'refused' | 'open'): boolean {
  const state = stateOf(talk, talk.memory.current)
  if (state.counterOffer !== null) {
    note(talk, utterance)
    return true
  }
  settle(talk, talk.memory.current, status, utterance.evidence, null)
  sayIfShort(talk, talk.phrases.understood)
  goOn(talk, utterance.heard)
  return true
}

/** "Okay, 138 is my final offer", about an offer left to the user. */
export function revive(talk: Talk, utterance: Utterance): boolean {
  const { memory } = talk
  const present = currentTopic(talk)
  for (const [index, topic] of talk.topics.entries()) {
    const state = stateOf(talk, index)
    if (index === memory.current || state.status !== 'offered' || topic.kind !== 'request') continue
    const mandate = mandateOf(talk, index)
    const options = optionsIn(utterance.heard, topic, mandate, memory.language).filter(({ values }) =>
      values.some(
        ({ type }) => present?.expecting !== type && present?.wants.every((want) => want.type !== type) === true,
      ),
    )
    if (options.length === 0) continue
    const back = memory.current
    memory.current = index
    memory.pending = 'better_offer'
    state.counterOffer = null
    weighOffer(talk, utterance, { options, condition: conditionIn(utterance.heard, memory.language) })
    if (talk.memory.pending === 'better_offer') memory.current = back
    return true
  }
  return false
}

const PUSHES =
  /\b(?:(?:shall|should|can|may|could|so) (?:i|we) (?:then )?(?:book|put|reserve|confirm|take|note|make|go ahead|hold|write|pencil)|(?:put|pencil|write|sign|book|fit|squeeze)(?:ting|ing|ted|ed)? (?:you|that|it|them|her|him) (?:down|in)|(?:i'll|i will|we'll|we will|i've|i have|we've|we have|let me|i'm going to) (?:just )?(?:book|booked|reserve|reserved|put|noted?|confirm|confirmed|made?|make|pencil|write)\b|deal then|so (?:that's|it's|is it) (?:a deal|agreed|settled)|(?:do|will) you (?:want|take|accept) (?:it|that)|yes or no|entonces (?:le )?(?:apunto|reservo)|le (?:apunto|reservo)|je (?:vous )?(?:note|reserve)|soll ich|ich trage)\b/

/** A callee who presses for a yes that only the user may give gets none. */
export function pushing(talk: Talk, utterance: Utterance): boolean {
  const { memory, phrases } = talk
  if (
    !PUSHES.test(utterance.heard.plain) ||
    (stateOf(talk, memory.current).status === 'waiting' &&
      memory.pending !== 'anything_else' &&
      memory.pending !== 'topic')
  )
    return false
  const left = talk.topics.findLastIndex(
    (_, index) => index !== memory.current && stateOf(talk, index).status === 'offered',
  )
  const own = memory.pending === 'anything_else' && stateOf(talk, memory.current).status === 'offered'
  if (left < 0 && !own) return false
  if (utterance.heard.needs.length > 0) return false
  say(talk, phrases.cannotAgree)
  if (memory.pending === 'anything_else' || utterance.heard.intents.has('goodbye')) close(talk)
  else askAgain(talk)
  return true
}

/** An agreement repeated with another value: "so I have put you down for 8:30". */
export function takenBack(talk: Talk, utterance: Utterance): boolean {
  const { memory } = talk
  const index = talk.topics.findLastIndex(({ kind }, at) => kind === 'request' && isAgreed(stateOf(talk, at)))
  const topic = talk.topics[index]
  if (
    topic === undefined ||
    !(
      PUSHES.test(utterance.heard.plain) ||
      /\b(?:see you|booked|reserved|confirmed|noted)\b/.test(utterance.heard.plain)
    )
  )
    return false
  const state = stateOf(talk, index)
  const options = optionsIn({ ...utterance.heard, answer: 'none' }, topic, mandateOf(talk, index), memory.language)
  if (options.length === 0 || options.some(({ result, values }) => values.length === 0 || result === state.result))
    return false
  memory.current = index
  memory.pending = 'better_offer'
  weighOffer(talk, utterance, { options, condition: conditionIn(utterance.heard, memory.language) })
  return true
}
