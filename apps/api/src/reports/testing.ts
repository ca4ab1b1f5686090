import { randomUUID } from 'node:crypto'
import { call } from '../calls/schema.ts'
import type { TestApp } from '../testing.ts'

const MINUTE_MS = 60_000

/** The columns a test sets; the rest has defaults. */
export type NewCallRow = Partial<typeof call.$inferInsert>

/** Calls as the calls room leaves them, the first the newest. */
export async function insertCalls(
  { context }: Pick<TestApp, 'context'>,
  userId: string,
  ...rows: NewCallRow[]
): Promise<string[]> {
  const now = Date.now()
  const values = rows.map((row, index): typeof call.$inferInsert => {
    const createdAt = new Date(now - index * MINUTE_MS)
    const ended = row.status === 'completed' || row.status === 'failed'
    const end = { completedAt: createdAt, endReason: 'agent_closed', durationSeconds: 0, creditsCharged: 0 } as const
    return {
      id: randomUUID(),
      userId,
      callee: '+12025550100',
      purpose: 'Book a table',
      objectives: [],
      tone: 'friendly',
      voiceId: 'default',
      maxDurationMinutes: 5,
      context: {},
      language: 'en',
      onBehalfOf: 'Ada',
      record: false,
      status: 'completed',
      phase: 'ended: answered',
      stageAt: createdAt,
      heardAt: createdAt,
      creditsHeld: 5,
      createdAt,
      ...(ended || row.status === undefined ? end : {}),
      ...row,
    }
  })
  await context.db.insert(call).values(values)
  return values.map(({ id }) => id)
}
