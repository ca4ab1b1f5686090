import { parseArgs } from 'node:util'
import { table } from '../../apps/standalone/src/rehearsal/words.ts'
import { ask, type Round, start } from './children.ts'

// Rounds of each contender in turn, and the ratio of neighbours.

const PAIRS = [
  { name: 'Twilio', ours: 'twilio', bare: 'sockets', echo: 'bare ws echo' },
  { name: 'RTP', ours: 'rtp', bare: 'udp', echo: 'bare UDP echo' },
] as const

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const percent = (share: number) => `${(share * 100).toFixed(3)} %`
const ms = (timeMs: number) => `${timeMs.toFixed(3)} ms`

function row(name: string, calls: number, rounds: readonly Round[]): string[] {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  return [
    name,
    percent(of(({ cpu }) => cpu / calls)),
    `${ms(of((round) => round.in[0]))}, ${ms(of((round) => round.in[1]))}`,
    `${ms(of((round) => round.out[0]))}, ${ms(of((round) => round.out[1]))}`,
    percent(of(({ late }) => late)),
    `${of(({ frames }) => frames)}`,
  ]
}

const HEAD = ['', 'of a core a call', 'in: p50, p99', 'out: p50, p99', 'late by 20 ms', 'frames']

export async function measure(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      calls: { type: 'string', default: '100' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '5' },
    },
  })
  const [calls, rounds, seconds] = [Number(values.calls), Number(values.rounds), Number(values.seconds)]
  if (![calls, rounds, seconds].every((value) => Number.isInteger(value) && value > 0 && value <= 2000))
    throw new Error('--calls, --rounds and --seconds are whole numbers from 1 to 2000.')
  console.log(`${calls} calls, ${rounds} rounds of ${seconds} s each in turn; medians`)
  for (const { name, ours, bare, echo } of PAIRS) {
    const [own, other] = [start('core', ours), start('core', bare)]
    const [ownRounds, otherRounds]: [Round[], Round[]] = [[], []]
    const order = { calls, settleMs: 2000, measureMs: seconds * 1000 }
    for (let at = 0; at < rounds; at++) {
      // Whoever goes second finds a warmer or a busier machine: they take turns at it.
      if (at % 2 === 0) ownRounds.push(await ask<Round>(own, order))
      otherRounds.push(await ask<Round>(other, order))
      if (at % 2 === 1) ownRounds.push(await ask<Round>(own, order))
    }
    own.disconnect()
    other.disconnect()
    const ratios = ownRounds.map(({ cpu }, at) => cpu / (otherRounds[at]?.cpu ?? Number.NaN))
    console.log(`\n${table([HEAD, row(`${name} carrier`, calls, ownRounds), row(echo, calls, otherRounds)])}`)
    const all = ratios.map((ratio) => ratio.toFixed(2)).join(', ')
    console.log(`${name}: ${median(ratios).toFixed(2)} times the time of the ${echo} (${all})`)
  }
}
