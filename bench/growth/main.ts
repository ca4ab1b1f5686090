import { parseArgs } from 'node:util'
import { measureGrowth, type Part, PARTS } from './growth.ts'

// Times of lists, figures, placing and erasing with many calls of many accounts; see bench/README.md.

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    accounts: { type: 'string', default: '10000' },
    turns: { type: 'string', default: '4' },
    movements: { type: 'string', default: '10000' },
    requests: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string' },
  },
})

const parts = PARTS.filter((part) => values.only === undefined || values.only.split(',').includes(part))
await measureGrowth({
  calls: Number(values.calls),
  accounts: Number(values.accounts),
  turns: Number(values.turns),
  movements: Number(values.movements),
  requests: Number(values.requests),
  rounds: Number(values.rounds),
  smallCalls: 10_000,
  parts: parts satisfies readonly Part[],
  databaseUrl: process.env['DATABASE_URL'],
  say: (line) => process.stdout.write(`${line}\n`),
})
