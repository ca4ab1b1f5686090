import { type CallOrder, isPrivateName, leavesOf } from '@parley/contract'
import type { Asked, Conclusion, MindEvent } from '@parley/voice-ports'

/** Shorter ones stand in too many other words and numbers; who wants one kept marks it. */
const LOOKS_PRIVATE = /^(?=.*\d).{4,}$/s
const SAYS_NOTHING = /^(?:yes|no|true|false|[^\p{L}\p{N}]*)$/iu

/**
 * Keeps what is private out of everything that is said and written down, also where the purpose or the callee has named
 * it.
 */
export interface Discretion {
  /** What the order says without it. */
  readonly order: CallOrder
  event(event: MindEvent): MindEvent
  conclusion(conclusion: Conclusion): Conclusion
}

export function discretionFor({ order }: Pick<Asked, 'order'>): Discretion {
  const patterns = valuesOf(order).map(patternOf)
  const scrub = (text: string) => scrubbed(text, patterns)
  const [purpose, ...objectives] = [order.purpose, ...order.objectives].map((text) => scrub(text) || 'this')
  // The person knows their objectives by the words they gave them.
  const own = <T extends { readonly objective: string }>(outcome: T, index: number): T => ({
    ...outcome,
    objective: order.objectives[index] ?? outcome.objective,
  })
  return {
    order: patterns.length === 0 ? order : { ...order, purpose: purpose ?? '', objectives },
    event(event) {
      if (event.type === 'say') return { ...event, text: scrub(event.text) }
      return event.type === 'outcome' ? { ...event, outcome: own(event.outcome, event.index) } : event
    },
    conclusion({ outcomes, summary }) {
      const { title, description, insights, nextSteps, actionText } = summary
      const clean = {
        title: scrub(title),
        description: scrub(description),
        insights: insights.map(scrub),
        nextSteps: nextSteps.map(scrub),
        actionText: actionText === null ? null : scrub(actionText),
      }
      return { outcomes: outcomes.map(own), summary: { ...summary, ...clean } }
    },
  }
}

/**
 * The longest first, so that none leaves the rest of another behind. In whose name the call is made is said in every
 * call.
 */
function valuesOf({ context, onBehalfOf }: CallOrder): string[] {
  const found = leavesOf(context).flatMap(({ path, value, isMarked, isCleared }) => {
    const text = String(value).trim()
    const isKept =
      typeof value !== 'boolean' && (isMarked || (LOOKS_PRIVATE.test(text) && isPrivateName(path.join(' '), isCleared)))
    return isKept && !SAYS_NOTHING.test(text) && !onBehalfOf.toLowerCase().includes(text.toLowerCase()) ? [text] : []
  })
  return [...new Set(found)].toSorted((a, b) => b.length - a.length)
}

/** However it is grouped, spelled out or cased. */
function patternOf(value: string): RegExp {
  const characters = value.match(/[\p{L}\p{M}\p{N}]/gu) ?? []
  return new RegExp(`(?<![\\p{L}\\p{N}])${characters.join('[\\s.,/_-]*')}(?![\\p{L}\\p{N}])`, 'giu')
}

function scrubbed(text: string, patterns: readonly RegExp[]): string {
  const kept = patterns.reduce((rest, pattern) => rest.replace(pattern, ''), text)
  if (kept === text) return text
  return kept
    .replace(/\(\s*\)|"\s*"|“\s*”/g, '')
    .replace(/\s+(?=[\s.,;:!?)])/g, '')
    .trim()
}
