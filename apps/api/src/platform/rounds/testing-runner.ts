import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { createBus } from '../bus.ts'
import { createDatabase } from '../db.ts'
import { createJobs } from '../jobs.ts'

// A process that runs one endless task, in pieces of one row each: a test kills or freezes it.

const [url = '', name = '', leaseMs = '', heartbeatMs = ''] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const database = createDatabase(url, { poolSize: 3 })
const times = { leaseMs: Number(leaseMs), heartbeatMs: Number(heartbeatMs), pollMs: 20 }
const jobs = createJobs({ database, bus: createBus(undefined, log), log, times })
let runs = 0
jobs.every(name, 3_600_000, async (run) => {
  const number = ++runs
  for (;;) {
    run.check()
    await database.db.execute(sql`insert into piece (pid, run) values (${process.pid}, ${number})`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
})
await jobs.start()
