import type { Outcome } from '@parley/contract'
import { type Value, valuesIn } from '../values.ts'

/**
 * Before 2026-11-22 an accepted offer counted as met, and outcomes had no `offer`. True for an outcome stored as met
 * then whose quote clearly does not show agreement to this objective; in doubt, false.
 */
export function judgedByEarlierRule({ objective, status, quote, offer }: Outcome, purpose: string): boolean {
  return status === 'met' && offer === undefined && !supports(quote?.trim() ?? '', objective, purpose)
}

const ASKS_OR_TELLS =
  /\?|^\W*(?:(?:ask|find out|check|learn|know|see|enquire|inquire)\b(?! for)|confirm whether|what|when|where|who|whose|which|how|why|whether|if|is|are|was|were|do|does|did|can|could|will|would|has|have|had|tell|remind|inform|let|say|pass|deliver|leave|thank|wish|warn|invite|pregunt|averigu|saber|si|que|cuando|donde|cuanto|cual|quien|como|decir|avisar|recordar|dar|demander|savoir|dire|fragen|sagen|wissen|ob)\b/
const REQUESTS =
  /^\W*(?:an?|the|un|una|el|la|une|le|ein|eine|einen|das|den|die|der|ask for|book|reserve|order|agree|negotiate|move|reschedule|change|cancel|arrange|make|schedule|get|buy|reservar|cambiar|cancelar|mover|pedir|acordar)\b/
/** Objectives that ask for information: any answer meets them. */
const KNOWLEDGE =
  /\b(?:hours|prices?|costs?|rates?|fees?|names?|numbers?|address|reference|availability|e-?mail|status|reasons?|feedback|opinion|horarios?|precios?|nombre|numero|direccion|prix|horaires|adresse|preise?|offnungszeiten)\b/
const BARGAIN =
  /\b(?:better|lower|less|cheaper|discount|reduc\w*|rebate|off|mejor|menos|descuento|rebaja|rabatt|remise|moins)\b|%/
const AT_MOST = /\b(?:below|under|less than|at most|no more than|up to|menos de|como maximo|hochstens|moins de)\b/
const AGREES =
  /\b(?:yes|yeah|yep|sure|certainly|of course|ok|okay|agreed|deal|done|booked|reserved|confirmed|noted|all right|no problem|gladly|that works|works for|that is fine|that's fine|is fine|perfect|absolutely|si|claro|vale|de acuerdo|por supuesto|perfecto|oui|bien sur|d'accord|volontiers|ja|gerne|naturlich|in ordnung|sim|certo|va bene)\b/
const HEDGES =
  /\b(?:perhaps|maybe|might|not sure|would be possible|could offer|can offer|could do|instead|unfortunately|i'll see|have to look|have to check|full|no|not|can't|cannot|quiza|quizas|tal vez|seria posible|podria|peut-etre|vielleicht|leider)\b/

function supports(quote: string, objective: string, purpose: string): boolean {
  if (quote === '') return false
  const [said, asked] = [plain(quote), plain(objective)]
  if (ASKS_OR_TELLS.test(asked)) return true
  const isBargain = BARGAIN.test(asked)
  if (KNOWLEDGE.test(asked) && !isBargain) return true
  const wanted = valuesIn(asked)
  const named = [...wanted, ...valuesIn(plain(purpose))]
  const told = valuesIn(said)
  const isNamed = (value: Value) => named.some((each) => isSame(each, value)) || isWithin(value, wanted, asked)
  const agrees = AGREES.test(said)
  const repeats = told.some(isNamed)
  if (told.some((value) => !isNamed(value) && isInPlaceOf(value, wanted, isBargain)))
    return agrees && repeats && !HEDGES.test(said)
  if (agrees || repeats) return true
  if (HEDGES.test(said)) return false
  return (wanted.length === 0 && !REQUESTS.test(asked)) || sharesWords(said, asked)
}

/** Lower case, without diacritics. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase()
}

/** A bare number may be the hour of a time ("seven is fine"). */
function isSame(one: Value, other: Value): boolean {
  if (one.kind === other.kind) return one.amount === other.amount
  const [time, number] = one.kind === 'time' ? [one, other] : [other, one]
  if (time.kind === 'time') return number.kind === 'number' && (number.amount * 60) % 720 === time.amount
  return (
    (one.kind === 'number' || other.kind === 'number') &&
    one.kind !== 'day' &&
    other.kind !== 'day' &&
    one.amount === other.amount
  )
}

function isWithin(value: Value, wanted: readonly Value[], asked: string): boolean {
  const isPrice = ({ kind }: Value) => kind === 'money' || kind === 'number'
  return AT_MOST.test(asked) && isPrice(value) && wanted.some((most) => isPrice(most) && value.amount <= most.amount)
}

/** Whether the value may replace a wanted one; a long number is a reference. */
function isInPlaceOf({ kind, amount }: Value, wanted: readonly Value[], isBargain: boolean): boolean {
  const asks = (...kinds: readonly Value['kind'][]) => wanted.some((each) => kinds.includes(each.kind))
  switch (kind) {
    case 'time':
      return asks('time')
    case 'day':
      return asks('day')
    case 'percent':
    case 'money':
      return isBargain || asks('percent', 'money')
    case 'number':
      return amount < 100 && asks('time', 'number', 'percent', 'money')
  }
}

function sharesWords(said: string, asked: string): boolean {
  const words = (text: string) => text.match(/\p{L}{4,}/gu) ?? []
  const known = new Set(words(asked).map((word) => word.slice(0, 6)))
  return words(said).some((word) => known.has(word.slice(0, 6)))
}
