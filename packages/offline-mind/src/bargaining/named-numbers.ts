import { asksToRing, type CallSummary, looksDear, numbersNamedIn } from '@parley/contract'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { extract } from '../hearing/extract.ts'
import { sentencesIn } from '../hearing/text.ts'
import type { Talk } from '../conversation/talk.ts'
import type { Topic } from '../topic.ts'

const DEAR = ['PREMIUM_RATE', 'SHARED_COST'] as const
const DIGITS_MIN = 6
const OPENING_WORDS = 5

/** Removes numbers that the callee wants called from the summary. */
export function withoutNamedNumbers(summary: CallSummary, talk: Talk): CallSummary {
  const said = talk.turns.flatMap(({ speaker, text }) =>
    speaker === 'user' && barredIn(text, talk).length > 0 ? [text] : [],
  )
  if (said.length === 0) return summary
  const barred = said.flatMap((text) => barredIn(text, talk))
  // A quote may end within the number.
  const openings = said.map((text) => text.split(/\s+/).slice(0, OPENING_WORDS).join(' '))
  const isClean = (text: string): boolean =>
    numbersIn(text, talk).every((number) => barred.every((one) => !one.includes(number) && !number.includes(one))) &&
    openings.every((opening) => !text.includes(opening))
  const nextSteps = summary.nextSteps.filter(isClean)
  const isPending = summary.actionText !== null
  return {
    ...summary,
    title: isClean(summary.title) ? summary.title : masked(summary.title, talk, isClean),
    description: isClean(summary.description) ? summary.description : masked(summary.description, talk, isClean),
    insights: summary.insights.filter(isClean),
    nextSteps,
    actionText:
      isPending && summary.actionText !== null && !isClean(summary.actionText)
        ? (nextSteps[0] ?? FALLBACK)
        : summary.actionText,
  }
}

const FALLBACK = 'Read the transcript and decide what to do next.'

function numbersIn(text: string, { memory }: Talk): string[] {
  const read = extract(text, memory.language).flatMap((value) =>
    value.type === 'digits' && value.digits.length >= DIGITS_MIN ? [value.digits] : [],
  )
  return [...new Set([...read, ...numbersNamedIn(text)])]
}

function barredIn(text: string, talk: Talk): string[] {
  const wanted = talk.topics.some((topic) => asksForNumber(topic))
  return numbersIn(text, talk).filter((digits) => isDear(digits, talk) || (!wanted && asksToRing(text)))
}

/** Whether the text names a premium number; it answers nothing then. */
export function namesPremiumNumber(text: string, talk: Talk): boolean {
  return [...numbersIn(text, talk), ...numbersNamedIn(text)].some((digits) => isDear(digits, talk))
}

/** "Ask for the number of the workshop" is answered by a number. */
function asksForNumber({ kind, text }: Topic): boolean {
  return (
    kind === 'information' &&
    /\b(?:numbers?|phone|telephone|contact|reach|tel[eé]fono|n[uú]mero|num[eé]ro|nummer)\b/i.test(text)
  )
}

function isDear(digits: string, { order }: Talk): boolean {
  const here = parsePhoneNumberFromString(order.callee)?.country
  const type = parsePhoneNumberFromString(digits, here)?.getType()
  return DEAR.some((dear) => dear === type) || looksDear(digits)
}

/** The sentences and quotes without these numbers, in digits or in words. */
function masked(text: string, talk: Talk, isClean: (segment: string) => boolean): string {
  const unquoted = text.replace(/"[^"]*"/g, (quote) => (isClean(quote) ? quote : '"…"'))
  return isClean(unquoted) ? unquoted : sentencesIn(unquoted).filter(isClean).join(' ') || talk.order.purpose
}
