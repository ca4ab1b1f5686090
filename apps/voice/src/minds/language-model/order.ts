import {
  type CallOrder,
  isPrivateName,
  leavesOf,
  type Mandate,
  type MandateLimits,
  type Money,
  type VaultEntry,
  vaultPlaceholder,
} from '@parley/contract'

/** Written by others: it cannot close its fence. */
export function fenced(tag: string, text: string): string {
  return `<${tag}>${plain(text)}</${tag}>`
}

const plain = (text: string) => text.replaceAll('<', '‹').replaceAll('>', '›').trim()

const TONES: Readonly<Record<CallOrder['tone'], string>> = {
  friendly: 'friendly and warm',
  professional: 'professional and to the point',
  casual: 'casual and relaxed',
  formal: 'formal and courteous',
  empathetic: 'calm, patient and empathetic',
}

/** The order in words: the same text for the whole call. Private values are not in it. */
export function orderText(order: CallOrder): string {
  const { callee, onBehalfOf, tone, purpose, objectives, mandates = [], vault = [] } = order
  const { told, withheld } = contextOf(order)
  const numbered = objectives.map(
    (text, index) => `${index + 1}. ${fenced('objective', text)} Mandate: ${mandateText(mandates[index] ?? null)}`,
  )
  return [
    'The order of this call',
    `Your principal: ${plain(onBehalfOf)}. Number called: ${callee}. Your tone: ${TONES[tone]}.`,
    fenced('purpose', purpose),
    numbered.length > 0
      ? `Objectives:\n${numbered.join('\n')}`
      : 'There are no separate objectives: the purpose is what the call is for. Agree to nothing beyond its words.',
    told.length > 0
      ? `What may be told when it is needed:\n<may_be_told>\n${told.join('\n')}\n</may_be_told>`
      : 'What may be told: nothing beyond the purpose, the objectives and the name of your principal.',
    ...(withheld.length > 0 ? [`Not to be told, whatever they ask: ${withheld.join(', ')}. You do not have it.`] : []),
    ...vault.map(vaultText),
  ].join('\n\n')
}

/** Values by their names; those that are private only by name. */
function contextOf({ context }: CallOrder): { told: string[]; withheld: string[] } {
  const told: string[] = []
  const withheld = new Set<string>()
  for (const { path, value, isMarked, isCleared } of leavesOf(context)) {
    const name = plain(path.join(' '))
    if (isMarked || isPrivateName(path.join(' '), isCleared)) withheld.add(name)
    else told.push(`${name}: ${plain(String(value))}`)
  }
  return { told, withheld: [...withheld] }
}

function vaultText({ name, condition }: VaultEntry, index: number): string {
  const placeholder = vaultPlaceholder(index)
  const when = {
    asked: () => `Write ${placeholder} where you say it, only when the callee asks for it.`,
    menu: () => `Never say it. When a telephone menu asks for it, call send_digits with ${placeholder}.`,
    said: (words: string) =>
      `Write ${placeholder} where you say it, only after the callee has said ${JSON.stringify(plain(words))}.`,
  }
  const rule = condition.when === 'said' ? when.said(condition.words) : when[condition.when]()
  return `${placeholder} stands for a private value: ${plain(name)}. ${rule}`
}

function mandateText(mandate: Mandate | null): string {
  if (mandate === null) return 'what its words say; anything else is an offer to pass on.'
  switch (mandate.rule) {
    case 'exactly':
      return 'exactly this; anything else is an offer to pass on.'
    case 'ask_me':
      return 'agree to nothing, also not to just this: every answer is an offer that your principal decides on.'
    case 'within_limits':
      return `this, or within these limits, which are not told: ${limitsText(mandate.limits)}. Beyond them it is an offer.`
  }
}

export const moneyText = ({ amountCents, currency }: Money) => `${(amountCents / 100).toFixed(2)} ${currency}`

function limitsText(limits: MandateLimits): string {
  const { priceMax, timeFrom, timeTo, dateFrom, dateTo, peopleMin, peopleMax, alternatives = [] } = limits
  const range = (what: string, from: string | undefined, to: string | undefined) => [
    ...(from === undefined ? [] : [`${what} not before ${from}`]),
    ...(to === undefined ? [] : [`${what} not after ${to}`]),
  ]
  const parts = [
    ...(priceMax ? [`price at most ${moneyText(priceMax)} in all`] : []),
    ...range('time of day', timeFrom, timeTo),
    ...range('day', dateFrom, dateTo),
    ...(peopleMin === undefined ? [] : [`at least ${peopleMin} people`]),
    ...(peopleMax === undefined ? [] : [`at most ${peopleMax} people`]),
    ...(alternatives.length > 0
      ? [`also welcome, in this order: ${alternatives.map((each) => JSON.stringify(plain(each))).join(', ')}`]
      : []),
  ]
  return parts.join('; ') || 'none'
}
