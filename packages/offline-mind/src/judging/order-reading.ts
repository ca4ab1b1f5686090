import type { CallOrder, OutcomeValue } from '@parley/contract'
import type { CallState } from '@parley/voice-ports'
import { judge } from '../bargaining/judge.ts'
import { bestOf, isHedged, tellsOfOthers } from '../bargaining/negotiate.ts'
import { listed, optionsIn } from '../bargaining/offer.ts'
import { knownFrom } from '../conversation/context-entries.ts'
import { STRATEGY } from '../conversation/knowledge.ts'
import { beginTalk, mandateOf, type Talk } from '../conversation/talk.ts'
import { extract, sameValue, type Value } from '../hearing/extract.ts'
import { detectLanguage } from '../hearing/language.ts'
import { fold } from '../hearing/text.ts'
import { understand } from '../hearing/understand.ts'
import { countable } from '../mandate/bounds.ts'
import { hintOf, mandateFor, type Mandate } from '../mandate/mandate.ts'
import { isAsked, permits, type Permission } from '../mandate/permits.ts'
import type { Spoken } from '../memory.ts'
import type { Topic } from '../topic.ts'
import { outcomeValueOf } from './outcome-value.ts'

/** How a turn of the callee answers one objective. */
export interface AnswerRead {
  /** grants: just what was asked for. offers: something to be agreed to. tells: what was asked about. */
  readonly type: 'grants' | 'offers' | 'tells' | 'refuses' | 'unclear'
  /** Whether the agent may agree to it. */
  readonly permission: Permission
  /** What is offered, in a few words. */
  readonly offer: string | null
  /** Set where it is offered on a condition, which only the user may accept. */
  readonly isConditional: boolean
  /** What it names, as far as it counts for the objective. */
  readonly values: readonly Value[]
  readonly answers: 'yes' | 'no' | 'maybe' | 'none'
  readonly asks: boolean
  /** Asks for time and answers nothing. */
  readonly waits: boolean
}

interface Point {
  readonly topic: Topic
  readonly mandate: Mandate
}

type Read = Pick<CallState, 'order' | 'language' | 'now' | 'timezone'>

const NEGOTIATED = new Set(['time', 'date', 'money', 'percent', 'count'])

/** An order as the rules read it: to judge what another mind says and claims. */
export class OrderReading {
  readonly #talk: Talk
  readonly #points: readonly Point[]
  readonly #purpose: Point
  readonly #known: readonly Value[]
  readonly #timezone: string
  readonly #answers = new Map<string, AnswerRead>()

  /** @param steering what the user has said to the agent during the call */
  constructor({ order, language, now, timezone }: Read, steering: readonly string[]) {
    this.#talk = beginTalk({
      order,
      language,
      now,
      timezone,
      turns: [],
      memory: undefined,
      timeLeftMs: 0,
      outcomes: [],
    })
    this.#talk.memory.steering.push(...steering)
    this.#timezone = timezone
    this.#points = order.objectives.map((_, index) => ({
      topic: this.#talk.topics[index] ?? this.#talk.purpose.topic,
      mandate: mandateOf(this.#talk, index),
    }))
    const { topic } = this.#talk.purpose
    const { text, wants, expecting } = topic
    const wished = { text, wants, expecting, isPurpose: true, isAlone: order.objectives.length === 0 }
    this.#purpose = { topic, mandate: mandateFor(order, steering, wished, this.#talk.today) }
    this.#known = valuesKnown(order, this.#language)
  }

  get #language(): Spoken {
    return this.#talk.memory.language
  }

  /** To be agreed to, rather than told or delivered. */
  isRequest(index: number): boolean {
    return this.#point(index).topic.kind === 'request'
  }

  /** Only a limit for the agent: asked of nobody. */
  isRule(index: number): boolean {
    return this.#point(index).topic.question === ''
  }

  /** The user wants to be asked about each offer. */
  asksFirst(index: number): boolean {
    return this.#point(index).mandate.asksFirst
  }

  answer(index: number, text: string): AnswerRead {
    const key = `${index} ${text}`
    const known = this.#answers.get(key) ?? this.#read(this.#point(index), text)
    this.#answers.set(key, known)
    return known
  }

  /** Values in a text that may not be agreed to under any objective. */
  forbidden(text: string): Value[] {
    return this.#named(text).filter((value) => !this.#all().some((point) => mayAgree(point, value)))
  }

  /** Values in a text that the agent may agree to. */
  permitted(text: string): Value[] {
    return this.#named(text).filter((value) => this.#all().some((point) => mayAgree(point, value)))
  }

  /** Values in a text that the agent may not even propose: neither wished for nor allowed. */
  unwished(text: string): Value[] {
    return this.#named(this.#withoutOrdered(text)).filter(
      (value) =>
        !this.#all().some((point) => isAsked(point.mandate, value) || mayAgree(point, value)) &&
        !this.#known.some((known) => sameValue(known, value)),
    )
  }

  /** Whether the agent's words name what the objective asks for, so that a bare yes grants it. */
  isAskedIn(index: number, text: string): boolean {
    const { topic, mandate } = this.#point(index)
    const own = extract(topic.text, topic.language, topic.expecting)
    const wants = topic.wants.filter((want) => own.some((value) => sameValue(value, want)))
    const named = this.#named(text)
    if (wants.length > 0 && this.isRequest(index))
      return wants.some((want) => named.some((value) => isAsked(mandate, value) && value.type === want.type))
    const words = new Set(stemsOf(text))
    const asked = [...stemsOf(topic.text), ...stemsOf(topic.question)]
    // Words of another language than the order's cannot be compared.
    if (asked.length === 0 || topic.language !== detectLanguage(text, this.#language)) return /\?/.test(text)
    return asked.some((stem) => words.has(stem))
  }

  /** How far the values of an agent's words may be agreed to for an objective; null where it names none. */
  proposed(index: number, text: string): { readonly permission: Permission; readonly offer: string } | null {
    const { mandate, topic } = this.#point(index)
    const values = this.#named(text, hintOf(topic.wants, topic.expecting)).filter(({ type }) =>
      topic.wants.some((want) => want.type === type),
    )
    return values.length === 0 ? null : { permission: permits(mandate, values), offer: listed(values, this.#language) }
  }

  /** The typed value of what a turn names; null where it names none that counts. */
  valueIn(index: number, text: string): OutcomeValue | null {
    const { topic, mandate } = this.#point(index)
    const named = extract(text, detectLanguage(text, this.#language), topic.expecting)
    const day = this.#all()
      .flatMap((point) => point.mandate.asked)
      .find(({ type }) => type === 'date')
    return outcomeValueOf(named, {
      wanted: mandate.asked,
      day: day ?? null,
      expecting: topic.expecting,
      today: this.#talk.today,
      timezone: this.#timezone,
    })
  }

  /** A text without the words that it shares with the order. */
  #withoutOrdered(text: string): string {
    const { purpose, objectives } = this.#talk.order
    const ordered = [purpose, ...objectives].map((each) => ` ${wordsOf(each).join(' ')} `)
    const words = wordsOf(text)
    const isShared = words.map(() => false)
    for (const [at] of words.entries()) {
      const shared = words.slice(at, at + SHARED_WORDS)
      if (shared.length === SHARED_WORDS && ordered.some((each) => each.includes(` ${shared.join(' ')} `)))
        isShared.fill(true, at, at + SHARED_WORDS)
    }
    return words.filter((_, at) => isShared[at] !== true).join(' ')
  }

  /** The languages in which a text of the agent is to be understood. */
  languagesOf(text: string): ReadonlySet<Spoken> {
    return new Set([this.#language, detectLanguage(text, this.#language)])
  }

  #all(): readonly Point[] {
    return [...this.#points, this.#purpose]
  }

  #point(index: number): Point {
    return this.#points[index] ?? this.#purpose
  }

  /** In the language of the call and in that of the text. */
  #named(text: string, hint: Parameters<typeof extract>[2] = null): Value[] {
    const found = [...this.languagesOf(text)].flatMap((language) => countable(text, language, hint))
    return found.filter(
      (value, at) =>
        NEGOTIATED.has(value.type) &&
        (value.type !== 'count' || value.unit === 'people' || this.#isCounted(value.unit)) &&
        found.findIndex((one) => JSON.stringify(one) === JSON.stringify(value)) === at,
    )
  }

  /** Nights count where the order speaks of nights. */
  #isCounted(unit: string): boolean {
    return this.#all().some(({ mandate }) =>
      mandate.asked.some((value) => value.type === 'count' && value.unit === unit),
    )
  }

  #read({ topic, mandate }: Point, text: string): AnswerRead {
    const language = detectLanguage(text, this.#language)
    const heard = understand(text, language)
    const common = {
      isConditional: false,
      answers: heard.answer,
      asks: heard.question,
      waits: heard.waits,
      values: [],
      offer: null,
    } as const
    const of = (type: AnswerRead['type'], permission: Permission = 'no'): AnswerRead => ({
      ...common,
      type,
      permission,
    })
    if (topic.question === '') return of('unclear')
    const verdict = judge(heard, topic, mandate, language)
    const isOpen = topic.kind === 'request' || topic.kind === 'confirmation' || topic.kind === 'help'
    const found =
      verdict.type === 'offer'
        ? verdict
        : verdict.type === 'none' && isOpen
          ? { options: optionsIn(heard, topic, mandate, language), condition: null }
          : null
    const best = found === null ? null : bestOf(mandate, found.options)
    if (found !== null && best !== null) {
      const isPrice = best.option.values.some(({ type }) => type === 'money' || type === 'percent')
      if (isPrice && tellsOfOthers(heard) && found.condition === null) return of('unclear')
      const isFirm = !isHedged({ heard }, best.option)
      const isConditional = found.condition !== null
      const { values, offer } = best.option
      const permission = isFirm && !isConditional ? best.permission : 'no'
      return {
        ...common,
        type: 'offers',
        permission,
        values,
        isConditional,
        offer: withCondition(offer, found.condition),
      }
    }
    switch (verdict.type) {
      case 'met':
        if (topic.kind === 'request')
          return { ...of('grants', mandate.asksFirst ? 'no' : 'as_asked'), offer: verdict.result ?? topic.subject }
        return of('tells', 'as_asked')
      case 'refused':
        return of('refuses')
      default:
        return of('unclear')
    }
  }
}

function withCondition(offer: string, condition: string | null): string {
  return condition === null || offer.includes(condition) ? offer : `${offer}, ${condition}`
}

/** Alone, or as one of the values that it belongs with. */
function mayAgree({ topic, mandate }: Point, value: Value): boolean {
  // What is to be ended is named by its hour.
  if (mandate.isRemoval) return extract(topic.text, topic.language).some((own) => sameValue(own, value))
  if (mandate.asksFirst) return permits(mandate, [value]) !== 'no'
  return isAsked(mandate, value) || permits(mandate, [value]) === 'within'
}

/** Facts of the order that may be named: the day, the number of people. What may be paid is no such fact. */
function valuesKnown(order: CallOrder, language: Spoken): Value[] {
  const facts = knownFrom(order.context).filter(({ key, isMarked }) => !isMarked && !STRATEGY.test(key))
  return facts.flatMap(({ key, value }) => [
    ...countable(value, language, null),
    ...(/people|party|guests|persons|adults/.test(key) ? countable(`for ${value}`, 'en', null) : []),
  ])
}

/** As many words in a row are a quotation. */
const SHARED_WORDS = 3

function wordsOf(text: string): string[] {
  return fold(text)
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}$€£]+|[^\p{L}\p{N}%€$£]+$/gu, ''))
    .filter((word) => word !== '')
}

const STEM_LETTERS = 4

function stemsOf(text: string): string[] {
  const words = fold(text).match(/\p{L}{4,}/gu) ?? []
  return words.filter((word) => !COMMON.test(word)).map((word) => word.slice(0, STEM_LETTERS))
}

const COMMON =
  /^(?:would|could|that|this|with|your|have|please|possible|there|what|when|which|they|them|find|tell|about|some|will|from|also|able|whether|para|como|puede|podria|seria|posible|pour|vous|pourriez|serait|avez|dans|konnten|ware|moglich|haben|eine[nrms]?|folgendes|sagen)$/
