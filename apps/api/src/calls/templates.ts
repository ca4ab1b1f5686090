import { randomUUID } from 'node:crypto'
import { CALL_TEMPLATES_MAX, type CallTemplate, type NewCallTemplate } from '@parley/contract'
import { and, asc, eq, sql } from 'drizzle-orm'
import { refuseSecrets } from '../consent/index.ts'
import { type Db, type Reader, sqlState, withTx } from '../platform/db.ts'
import { AppError, notFound } from '../platform/errors.ts'
import { callTemplate } from './schema.ts'

type Row = typeof callTemplate.$inferSelect

const UNIQUE_VIOLATION = '23505'

export async function listTemplates(reader: Reader, userId: string): Promise<CallTemplate[]> {
  const own = eq(callTemplate.userId, userId)
  const rows = await reader
    .select()
    .from(callTemplate)
    .where(own)
    .orderBy(asc(sql`lower(${callTemplate.name})`), asc(callTemplate.id))
    .limit(CALL_TEMPLATES_MAX)
  return rows.map(replyOf)
}

export async function saveTemplate(db: Db, userId: string, { name, ...order }: NewCallTemplate): Promise<CallTemplate> {
  refuseSecrets(order)
  return named(name, () =>
    withTx(db, async (tx) => {
      // Serializes saves of one user, so that the bound holds.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('call_template'), hashtext(${userId}))`)
      if ((await tx.$count(callTemplate, eq(callTemplate.userId, userId))) >= CALL_TEMPLATES_MAX) throw full()
      const [row] = await tx
        .insert(callTemplate)
        .values({ ...order, id: randomUUID(), userId, name })
        .returning()
      if (!row) throw new Error('The insert returned no row.')
      return replyOf(row)
    }),
  )
}

export async function renameTemplate(db: Db, userId: string, id: string, name: string): Promise<CallTemplate> {
  const [row] = await named(name, () =>
    db.update(callTemplate).set({ name }).where(ownTemplate(userId, id)).returning(),
  )
  if (!row) throw notFound('The template')
  return replyOf(row)
}

export async function deleteTemplate(db: Db, userId: string, id: string): Promise<void> {
  const deleted = await db.delete(callTemplate).where(ownTemplate(userId, id)).returning({ id: callTemplate.id })
  if (deleted.length === 0) throw notFound('The template')
}

/** The unique index detects a taken name. */
async function named<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    throw new AppError('conflict', `You already have a template named “${name}”.`, { field: 'name', cause: error })
  }
}

function full(): AppError {
  return new AppError('conflict', `You can keep ${CALL_TEMPLATES_MAX} templates. Delete one you no longer need.`)
}

function ownTemplate(userId: string, id: string) {
  return and(eq(callTemplate.id, id), eq(callTemplate.userId, userId))
}

function replyOf({ createdAt, ...row }: Row): CallTemplate {
  return { ...row, createdAt: createdAt.toISOString() }
}
