import { FAULT_KINDS, type FaultKind } from './schedule.ts'
import type { Outcome, Suffered } from './run.ts'

const KINDS: Readonly<Record<FaultKind, string>> = {
  kill: '`kill -9` of a process',
  stop: 'SIGSTOP for longer than a lease, then SIGCONT',
  postgres: 'PostgreSQL: immediate shutdown and restart',
  redis: 'Redis: `kill -9`, all data lost',
  delay: 'a delay each way between two parts',
  cut: 'a cut between two parts, with resets or silent',
  link: 'the network interface of a voice node down',
}

const MINUTE_MS = 60_000

/** The run as a page of the documentation. */
export function reportOf(outcome: Outcome): string {
  const { seed, faultsForMs, faults, findings, settled, hasNamespace, machine } = outcome
  const link = hasNamespace ? '' : '\nThe machine of this run allows no network namespace: `link` faults were left out.'
  const command = `npm run chaos -- --minutes ${faultsForMs / MINUTE_MS} --seed ${seed}`
  const except = settled.left.length === 0 ? '' : `, except: ${settled.left.join(', ')}`
  return `# A run with faults

3 processes of the api, 2 workers and 3 voice nodes on one PostgreSQL, one Redis and the sandbox (payments and an S3
bucket), each started again when it dies, with a proxy of ours between any two. Accounts place calls and lists, stop
calls and buy credits through any of the api's processes; webhooks go to one receiver, which refuses one in eight at
first. Meanwhile faults come by a schedule that its seed alone decides; this one is repeated by
\`${command}\`. \`chaos.e2e.ts\` is a run of one fault of each kind. How it
works, and what it leaves out, is in [0073](decisions/0073-faults-by-a-seed.md); \`--report docs/chaos.md\` writes this
page.${link}

## What ran

${tableOf(['', 'number'], figureRows(outcome))}

## Faults

A recovery lasts from the end of the fault until every process that it concerned takes work again; one that ended is
started 0.3 s later. This run had ${machine.processors} processors with a load average of ${machine.load.toFixed(0)}.

${tableOf(['fault', 'times', 'median recovery', 'longest recovery'], faultRows(faults))}

After the last fault everything that was ordered was done within ${seconds(settled.afterMs)}${except}.

## Invariants

${tableOf(
  ['invariant', 'breaches'],
  findings.map(({ rule, breaches }) => [rule, breaches.length === 0 ? 'none' : String(breaches.length)]),
)}
${breachesOf(outcome)}`
}

function figureRows({ figures, faults }: Outcome): string[][] {
  const { counts } = figures
  const rows: [string, number][] = [
    ['minutes under load', Math.round(figures.loadedMs / 6000) / 10],
    ['faults', faults.length],
    ['orders of calls', counts.calls],
    ['orders of lists', counts.lists],
    ['orders and purchases that an api refused', counts.refused],
    ['those without an answer until the end', counts.unanswered],
    ['orders accepted', figures.accepted],
    ['calls', figures.calls],
    ['of them of lists', figures.callsOfLists],
    ['of them charged', figures.callsConnected],
    ['leases given', figures.leases],
    ['facts taken', figures.facts],
    ['reports of facts sent', figures.reports],
    ['of them without an answer, sent again', figures.reportsUnanswered],
    ['of them refused with 409', figures.reportsRefused],
    ['webhooks', figures.webhooks],
    ['receipts of webhooks', figures.webhooksReceived],
    ['payments', figures.payments],
    ['opt-outs', figures.optOuts],
  ]
  return rows.map(([what, number]) => [what, number.toLocaleString('en')])
}

function faultRows(faults: readonly Suffered[]): string[][] {
  return FAULT_KINDS.map((kind) => {
    const times = faults.filter((fault) => fault.kind === kind).map(({ recoveryMs }) => recoveryMs ?? Infinity)
    const sorted = times.toSorted((one, other) => one - other)
    const [median, longest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
    return [KINDS[kind], String(times.length), secondsOr(median), secondsOr(longest)]
  })
}

function breachesOf({ findings }: Outcome): string {
  const all = findings.flatMap(({ rule, breaches }) => breaches.slice(0, 20).map((each) => `- ${rule}: ${each}`))
  return all.length === 0 ? '' : `\n${all.join('\n')}\n`
}

const secondsOr = (ms: number | undefined) => (ms === undefined ? '–' : seconds(ms))
const seconds = (ms: number) => (ms === Infinity ? 'not within 90 s' : `${(ms / 1000).toFixed(1)} s`)

/** As the formatter of the project would write it. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(3, title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
