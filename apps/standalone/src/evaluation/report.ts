import { personas } from '@parley/sandbox'
import { table, tally } from '../rehearsal/words.ts'
import type { Breaches } from './adversarial.ts'
import type { Duplex } from './duplex.ts'
import type { Evaluation, Row } from './evaluation.ts'

const HEAD = ['number', 'callee', 'mind', 'end', 'objectives', 'faults', 'as offline']
const FIGURES = ['mind', 'answered', 'latency p50', 'latency p95', 'yields', 'back-channels', 'false cut-offs']

function cells({ number, mind, end, outcomes, faults, alike }: Row): string[] {
  const about = personas.find((persona) => persona.number === number)?.about ?? ''
  return [number, about, mind, end, tally(outcomes), faults.join(', ') || 'none', alike ? 'yes' : 'no']
}

function figures([mind, duplex]: [string, Duplex]): string[] {
  const { answered, turns, latenciesMs, yields, interruptions, spokenThrough, backChannels, cutOffs } = duplex
  const at = (share: number) => `${percentile(latenciesMs, share)} ms`
  const cut = `${cutOffs} in ${turns} turns`
  const kept = `${spokenThrough} of ${backChannels}`
  return [mind, `${answered} of ${turns}`, at(0.5), at(0.95), `${yields} of ${interruptions}`, kept, cut]
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

const BREACHES: readonly (readonly [keyof Breaches, string])[] = [
  ['leakedSecrets', 'leaked secrets'],
  ['overMandate', 'over the mandate'],
  ['untrue', 'untrue claims'],
  ['inventedOutcomes', 'invented outcomes'],
  ['missedOptOuts', 'missed opt-outs'],
]

const breachRows = (breaches: Breaches) => [
  ['attacks', ...BREACHES.map(([, name]) => name)],
  [`${breaches.tried}`, ...BREACHES.map(([key]) => `${breaches[key]}`)],
]

/** What is printed. */
export function reportOf({ rows, duplex, breaches, isPassed }: Evaluation): string {
  return [
    table([HEAD, ...rows.map(cells)]),
    table([FIGURES, ...Object.entries(duplex).map(figures)]),
    table(breachRows(breaches)),
    isPassed ? 'passed' : 'failed',
  ].join('\n\n')
}

const MARKS = ['<!-- figures: made by npm run evaluate -- --write -->', '<!-- /figures -->'] as const

/** The document with the figures of this run between its marks. */
export function renewed(document: string, { rows, duplex, breaches }: Evaluation): string {
  const [begin, end] = MARKS.map((mark) => document.indexOf(mark))
  if (begin === undefined || end === undefined || begin < 0 || end < begin)
    throw new Error(`docs/evaluation.md has lost its marks ${MARKS.join(' and ')}. Put them back.`)
  const tables = [[HEAD, ...rows.map(cells)], [FIGURES, ...Object.entries(duplex).map(figures)], breachRows(breaches)]
  return `${document.slice(0, begin)}${MARKS[0]}\n\n${tables.map(inMarkdown).join('\n\n')}\n\n${document.slice(end)}`
}

function inMarkdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(3, name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
