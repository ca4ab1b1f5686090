import { type CallOrder, isPrivateName, leavesOf } from '@parley/contract'
import type { Asked, Conclusion, MindEvent } from '@parley/voice-ports'

/** Shorter values occur in too many other words; mark them private to protect them. */
const LOOKS_PRIVATE = /^(?=.*\d).{4,}$/s
const SAYS_NOTHING = /^(?:yes|no|true|false|[^\p{L}\p{N}]*)$/iu

/** Removes private values from everything said and written, even if the purpose or the callee named them. */
export interface Discretion {
  /** The order without private values. */
  readonly order: CallOrder
  event(event: MindEvent): MindEvent
  conclusion(conclusion: Conclusion): Conclusion
}

export function discretionFor({ order }: Pick<Asked, 'order'>): Discretion {
  const patterns = privateValuesOf(order).map(patternOf)
  const scrub = (text: string) => scrubbed(text, patterns)
  const [purpose, ...objectives] = [order.purpose, ...order.objectives].map((text) => scrub(text) || 'this')
  // The user recognizes objectives by their own words.
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

/** Longest first, so that none leaves the rest of another. The user's name is part of every disclosure. */
export function privateValuesOf({ context, onBehalfOf }: Pick<CallOrder, 'context' | 'onBehalfOf'>): string[] {
  const found = leavesOf(context).flatMap(({ path, value, isMarked, isCleared }) => {
    const text = String(value).trim()
    const isKept =
      typeof value !== 'boolean' && (isMarked || (LOOKS_PRIVATE.test(text) && isPrivateName(path.join(' '), isCleared)))
    return isKept && !SAYS_NOTHING.test(text) && !onBehalfOf.toLowerCase().includes(text.toLowerCase()) ? [text] : []
  })
  return [...new Set(found)].toSorted((a, b) => b.length - a.length)
}

/** Matches any grouping, spelling or case. */
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
