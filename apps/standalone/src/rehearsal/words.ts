import { OUTCOME_STATUSES, type Fact, type Outcome } from '@parley/contract'
import type { Rehearsal } from './rehearse.ts'

/** 0:03.2 */
export function timeOf(ms: number): string {
  const tenths = Math.round(ms / 100)
  return `${Math.floor(tenths / 600)}:${((tenths % 600) / 10).toFixed(1).padStart(4, '0')}`
}

/** The printed line of a fact, or null; a turn is printed when it has ended. */
export function lineOf(fact: Fact): string | null {
  switch (fact.type) {
    case 'ringing':
    case 'answered':
      return `${' '.repeat(15)} (${fact.type})`
    case 'phase':
      return `${' '.repeat(15)} (${fact.phase})`
    case 'turn': {
      const { speaker, text, startMs, endMs, heard } = fact.turn
      if (endMs === null) return null
      const cut = speaker === 'agent' && !heard ? ' -' : ''
      return `${timeOf(startMs)} - ${timeOf(endMs)}  ${speaker === 'agent' ? 'Agent ' : 'Callee'}  ${text}${cut}`
    }
    case 'opted_out':
      return `${' '.repeat(15)} (wants no more calls: "${fact.quote}")`
    case 'asks_owner':
      return `${' '.repeat(15)} (asks you: "${fact.question}")`
    case 'told':
      return `${' '.repeat(15)} (told, by ${fact.by}: ${fact.name})`
    case 'dialing':
    case 'placed':
    case 'leg':
    case 'outcomes':
    case 'ended':
    case 'wrapped_up':
      return null
  }
}

const STATUS_WIDTH = Math.max(...OUTCOME_STATUSES.map(({ length }) => length))

function outcomeLine({ objective, status, quote, offer }: Outcome): string {
  const instead = offer === null || offer === undefined ? '' : ` [${offer}]`
  return `  ${status.padEnd(STATUS_WIDTH)} ${objective}${instead}${quote === null ? '' : `: "${quote}"`}`
}

/** The text printed after the call. */
export function conclusionOf({ ended, wrappedUp }: Rehearsal): string {
  const { summary, outcomes, language } = wrappedUp
  const list = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : [title, ...lines])
  return [
    '',
    `${ended.message} (${ended.reason}, ${ended.connectedSeconds.toFixed(1)} s connected, language ${language})`,
    ...list('Outcomes', outcomes.map(outcomeLine)),
    `Summary: ${summary.title} (${summary.type})`,
    `  ${summary.description}`,
    ...list(
      'Insights',
      summary.insights.map((text) => `  ${text}`),
    ),
    ...list(
      'Next steps',
      summary.nextSteps.map((text) => `  ${text}`),
    ),
    ...(summary.actionText === null ? [] : [`Action required: ${summary.actionText}`]),
  ].join('\n')
}

/** "2 met", "1 met, 1 open" */
export function tally(outcomes: readonly Outcome[]): string {
  const counts = OUTCOME_STATUSES.map((status) => [outcomes.filter((o) => o.status === status).length, status] as const)
  return counts.flatMap(([count, status]) => (count === 0 ? [] : [`${count} ${status}`])).join(', ')
}

/** Columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
