import { createServer } from 'node:http'
import type { Drills, Stage } from './stage.ts'

// Jobs, repeated tasks, webhooks.

const LATE = `insert into jobs.queue select (jsonb_populate_record(queue, '{"name": "drill.late"}')).*
  from jobs.queue where name = 'calls.dial'`
const TASK_LOOK = `select name, owner, last_started_at, last_failed_at, failures_in_row, last_error_kind
  from repeated_task order by last_succeeded_at nulls first limit 1`

/** As if a process that stands still had the task. */
export const holdTask = (stage: Stage, name: string) =>
  stage.sql(
    `update repeated_task set owner = 'stands still', fence = fence + 1, lease_until = now() + interval '1 day'
     where name = $1`,
    [name],
  )
export const freeTask = (stage: Stage, name: string) =>
  stage.sql(`update repeated_task set owner = null, lease_until = null, next_run_at = now() where name = $1`, [name])

const SWEEP = 'idempotency.sweep'

function jobsLate(): ReturnType<Drills[string]> {
  return {
    async begin({ sql }) {
      await sql(LATE)
      await sql(`insert into jobs.job (name, data, state, start_after)
        values ('drill.late', '{}', 'created', now() - interval '3 minutes')`)
      return 'A job of a queue that no worker takes had waited for 3 minutes.'
    },
    async look({ prometheus }) {
      const waiting = await prometheus.query('max by (job) (parley_jobs_waiting) > 0')
      const pool = await prometheus.query('parley_database_pool_connections{state="waiting"}')
      return `Waiting jobs of that queue: ${waiting}; requests for a connection: ${pool}, so no worker is to blame.`
    },
    async mend({ sql }) {
      await sql(`delete from jobs.job where name = 'drill.late'`)
      await sql(`delete from jobs.queue where name = 'drill.late'`)
      return 'One process does everything under `npm start`, so instead of another worker the job was taken by hand.'
    },
  }
}

function jobsGivenUp(): ReturnType<Drills[string]> {
  const of = `from jobs.job where name = 'notices.deliver' and state = 'failed'`
  return {
    async begin({ sql }) {
      await sql(`insert into jobs.job (name, data, state, output, created_on)
        values ('notices.deliver', '{"deliveryId": "none", "attempt": 1}', 'failed', '{"message": "drill"}', now())`)
      return 'A job of `notices.deliver` stood as failed after all tries.'
    },
    async look({ sql }) {
      const [row] = await sql<{ output: unknown }>(
        `select id, created_on, output ${of} order by created_on desc limit 20`,
      )
      return `The query of the page showed it with its error, ${JSON.stringify(row?.output)}.`
    },
    async mend({ sql }) {
      await sql(`update jobs.job set state = 'retry', start_after = now()
        where name = 'notices.deliver' and state = 'failed'`)
      return 'The update of the page gave it to a worker, which did it.'
    },
  }
}

function roundOverdue(): ReturnType<Drills[string]> {
  return {
    async begin(stage) {
      await holdTask(stage, SWEEP)
      await stage.sql(`update repeated_task set last_succeeded_at = now() - interval '70 minutes' where name = $1`, [
        SWEEP,
      ])
      return `\`${SWEEP}\` was owned by a process that stood still, 10 minutes beyond its hour.`
    },
    async look({ sql }) {
      const [row] = await sql<{ name: string; owner: string }>(TASK_LOOK)
      return `The query of the page named \`${row?.name}\` first, with its owner "${row?.owner}".`
    },
    async mend(stage) {
      await freeTask(stage, SWEEP)
      return 'The owner was taken away, as its end does; another run began by itself.'
    },
  }
}

function accountsPassedOver(): ReturnType<Drills[string]> {
  return {
    async begin({ sql }) {
      await sql(`insert into passed_over (task, subject, failures, retry_at, error_kind)
        select 'credits.reconcile', 'drill ' || n, 3, now() + interval '6 hours', 'Drill' from generate_series(1, 21) n`)
      return '21 accounts were passed over by `credits.reconcile`, all by one kind of error.'
    },
    async look({ sql }) {
      const rows = await sql(`select subject, failures, error_kind, retry_at from passed_over
        where task = 'credits.reconcile' order by failures desc limit 20`)
      return `The query of the page showed ${rows.length} rows of one kind.`
    },
    async mend({ sql }) {
      await sql(`delete from passed_over where task = 'credits.reconcile'`)
      return 'The delete of the page took them away.'
    },
  }
}

function webhooksFailing(): ReturnType<Drills[string]> {
  let ask: (method: string, path: string, body?: object) => Promise<Response>
  return {
    async begin(stage) {
      const person = await stage.person()
      const of = `/api/user/${person.user.id}`
      ask = (method, path, body = {}) => person.send(method, of + path, body)
      // Nobody listens there.
      await ask('PATCH', '/settings', { webhookUrl: 'http://127.0.0.1:9/hook' })
      for (let test = 0; test < 3; test++) await ask('POST', '/webhook/test')
      return 'An account sent 3 test events to an address where nobody listens.'
    },
    async look({ sql }) {
      const rows = await sql(`select user_id, count(*) from webhook_delivery
        where status = 'failed' and created_at > now() - interval '1 hour' group by 1`)
      return `The query of the page showed ${rows.length} account: a receiver's own trouble, not the way out.`
    },
    async mend() {
      await ask('PATCH', '/settings', { webhookUrl: await echo() })
      for (let test = 0; test < 4; test++) await ask('POST', '/webhook/test')
      return 'The account gave an address that answers, and 4 events were delivered there.'
    },
    after: () => closeEcho(),
  }
}

const echoServer = createServer((request, response) => void request.resume().on('end', () => response.end('ok')))

async function echo(): Promise<string> {
  if (!echoServer.listening) await new Promise<void>((listening) => void echoServer.listen(0, '127.0.0.1', listening))
  const address = echoServer.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`
}

async function closeEcho(): Promise<void> {
  echoServer.closeAllConnections()
  echoServer.close()
}

export const work: Drills = {
  JobsLate: jobsLate,
  JobsGivenUp: jobsGivenUp,
  RoundOverdue: roundOverdue,
  AccountsPassedOver: accountsPassedOver,
  WebhooksFailing: webhooksFailing,
}
