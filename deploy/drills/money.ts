import { randomUUID } from 'node:crypto'
import { amountCents, packageById, totalCredits } from '../../packages/contract/src/index.ts'
import type { Person } from '../../apps/standalone/src/world.ts'
import type { Drills, Stage } from './stage.ts'
import { freeTask, holdTask } from './work.ts'

// Books, holds and payments.

const RECONCILE = 'credits.reconcile'

/** Past every guard: what only a person with the rights of the owner can do. */
async function byHand({ pool }: Stage, statement: string, values: readonly unknown[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query(statement, [...values])
    await client.query('commit')
  } finally {
    client.release()
  }
}

/** The provider's id of a payment that waits for its card. */
async function order(person: Person): Promise<string> {
  const item = packageById('light')
  if (!item) throw new Error('There is no such package.')
  const body = { amount: amountCents(item), credits: totalCredits(item), packageId: 'light' }
  const headers = { 'idempotency-key': randomUUID() }
  const answer = await person.send('POST', '/api/create-payment-intent', body, headers)
  const { clientSecret } = (await answer.json()) as { clientSecret: string }
  return clientSecret.slice(0, clientSecret.indexOf('_secret'))
}

function booksDrift(): ReturnType<Drills[string]> {
  let userId = ''
  const change = (stage: Stage, credits: number) =>
    byHand(stage, `update ledger_account set posted = posted + $2 where user_id = $1 and kind = 'wallet'`, [
      userId,
      credits,
    ])
  return {
    async begin(stage) {
      userId = (await stage.person()).user.id
      await change(stage, 5)
      return 'With the guards off, 5 credits were added to one wallet by an UPDATE.'
    },
    async look(stage) {
      const said = await stage.ops('books', 'check')
      return `\`books check\` failed and ${said.includes(userId) ? 'named the wallet' : 'did not name the wallet'}.`
    },
    async mend(stage) {
      await stage.ops('dialing', 'off', '--reason', 'The books')
      await change(stage, -5)
      const said = await stage.ops('books', 'check')
      await stage.ops('dialing', 'on')
      const isWell = !said.includes(userId)
      return `Dialing was switched off, the change undone (it was known), \`books check\` ${isWell ? 'passed' : 'failed'}, and dialing switched on.`
    },
  }
}

function holdsForgotten(): ReturnType<Drills[string]> {
  let person: Person
  let callId = ''
  return {
    async begin(stage) {
      person = await stage.person()
      await holdTask(stage, 'calls.reconcile')
      const call = await person.place('+12025550111', { maxDurationMinutes: 2 })
      callId = call.id
      await byHand(stage, `update hold set expires_at = now() - interval '2 minutes' where call_id = $1`, [callId])
      return 'The reconciling of calls stood still, and the hold of a call was 2 minutes past its end.'
    },
    async look({ sql }) {
      const [row] = await sql<{ name: string }>(
        `select name from repeated_task where owner = 'stands still' and name = 'calls.reconcile'`,
      )
      return `\`${row?.name}\` had an owner that did not end its run; the call was still live at its node.`
    },
    async mend(stage) {
      await freeTask(stage, 'calls.reconcile')
      await person.send('PATCH', `/api/calls/${callId}`, { action: 'stop' })
      return 'The task was freed and the call stopped: its hold was settled by itself.'
    },
  }
}

function paymentEventsGivenUp(): ReturnType<Drills[string]> {
  return {
    async begin({ sql, person }) {
      const intentId = await order(await person())
      await sql(
        `insert into stripe_event_retry (id, type, intent_id, failures, next_attempt_at)
         values ('evt_drill', 'payment_intent.processing', $1, 20, null)`,
        [intentId],
      )
      return 'An event of a payment stood as given up after 20 failures.'
    },
    async look({ sql }) {
      const [row] = await sql<{ id: string; type: string }>(
        'select * from stripe_event_retry where next_attempt_at is null',
      )
      return `The query of the page showed \`${row?.id}\`, ${row?.type}, with the id of its payment.`
    },
    async mend({ sql }) {
      await sql(`update stripe_event_retry set next_attempt_at = now() where id = 'evt_drill'`)
      return 'It was set to be tried now, and the next round applied it.'
    },
  }
}

function paymentsUnfinished(): ReturnType<Drills[string]> {
  return {
    async begin(stage) {
      const intentId = await order(await stage.person())
      await holdTask(stage, RECONCILE)
      await stage.sql(
        `update payment set status = 'processing', created_at = now() - interval '11 minutes' where intent_id = $1`,
        [intentId],
      )
      return 'A payment stood as processing for 11 minutes while the reconciling of payments stood still.'
    },
    async look({ parley }) {
      const { apiUrl } = (await (await fetch(`${parley.url}/api/payments/config`)).json()) as { apiUrl: string }
      return `The provider (the sandbox at ${new URL(apiUrl).hostname}) said that it still waits for a card.`
    },
    async mend(stage) {
      await freeTask(stage, RECONCILE)
      return 'The task was freed; its next round took the state of the provider.'
    },
  }
}

function tasksOpen(): ReturnType<Drills[string]> {
  return {
    async begin({ sql }) {
      await sql(`insert into operator_task (kind, intent_id, order_id, detail)
        values ('paid_mismatch', 'pi_drill', 'drill', 'Paid 100 eur, ordered 900 usd')`)
      return 'A payment that differs from its order waited for a decision.'
    },
    async look({ ops }) {
      const said = await ops('tasks', 'list')
      return `\`tasks list\` ${said.includes('pi_drill') ? 'named the payment, what was paid and what was ordered' : 'did not name it'}.`
    },
    async mend({ ops, sql }) {
      const [task] = await sql<{ id: string }>(`select id from operator_task where intent_id = 'pi_drill'`)
      await ops('tasks', 'close', String(task?.id), '--reason', 'Drill')
      return '`tasks close` with a reason ended it.'
    },
  }
}

export const money: Drills = {
  BooksDrift: booksDrift,
  HoldsForgotten: holdsForgotten,
  PaymentEventsGivenUp: paymentEventsGivenUp,
  PaymentsUnfinished: paymentsUnfinished,
  TasksOpen: tasksOpen,
}
