import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { inject } from 'vitest'
import { createDatabase, type Database } from './db.ts'
import { startEmbeddedPostgres } from './database/embedded.ts'
import { migrateDatabase } from './database/migrate.ts'
import type { ReplayedSql } from './database/replay.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the server that the run's databases are made on. */
    postgresUrl: string
    /** The server to use instead of an embedded one. */
    databaseUrl?: string
    template: string
  }
}

/**
 * Once per run: a template database with the schema of this version, on the server that the project
 * names, else on an embedded PostgreSQL that lives as long as the run.
 */
export async function setup(project: TestProject, replayed: readonly ReplayedSql[]): Promise<() => Promise<void>> {
  const given = project.getProvidedContext().databaseUrl
  const dir = await mkdtemp(join(tmpdir(), 'parley-postgres-'))
  const embedded = given === undefined ? await startEmbeddedPostgres(dir, { durable: false }) : undefined
  const serverUrl = given ?? embedded?.url ?? ''
  const template = `parley_template_${randomUUID().replaceAll('-', '')}`
  const admin = createDatabase(serverUrl, { poolSize: 1 })
  await admin.pool.query(`create database ${template}`)
  const database = createDatabase(urlOf(serverUrl, template), { poolSize: 2 })
  await migrateDatabase(database, { replayed })
  await database.close()
  project.provide('postgresUrl', serverUrl)
  project.provide('template', template)
  return async () => {
    await admin.pool.query(`drop database if exists ${template} with (force)`)
    await admin.close()
    await embedded?.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

/** A database that several tests begin with. */
export interface Template {
  readonly name: string
  drop(): Promise<void>
}

/** Prepares a database once, an empty one or a copy of another template, for `testDatabase` to copy. */
export async function testTemplate(
  prepare: (database: Database) => Promise<void>,
  from: Pick<Template, 'name'> = { name: 'template0' },
): Promise<Template> {
  const { name, database, drop } = await create(from.name)
  await prepare(database)
  // PostgreSQL copies none that somebody is connected to.
  await database.close()
  return { name, drop }
}

/** A database of its own for a suite, copied from the run's template or the given one, or empty; close() drops it. */
export async function testDatabase(options: { empty?: boolean; template?: Template } = {}): Promise<Database> {
  const { empty = false, template = { name: inject('template') } } = options
  const { database, drop } = await create(empty ? 'template0' : template.name)
  const close = async () => {
    await database.close()
    await drop()
  }
  return { ...database, close }
}

async function create(template: string) {
  const serverUrl = inject('postgresUrl')
  const name = `parley_test_${randomUUID().replaceAll('-', '')}`
  const admin = createDatabase(serverUrl, { poolSize: 1 })
  // Copying files takes half of the time of copying through the log, where nobody waits for the disk.
  const strategy = inject('databaseUrl') === undefined ? 'file_copy' : 'wal_log'
  await admin.pool.query(`create database ${name} template ${template} strategy ${strategy}`)
  const drop = async () => {
    await admin.pool.query(`drop database if exists ${name} with (force)`)
    await admin.close()
  }
  return { name, database: createDatabase(urlOf(serverUrl, name), { poolSize: 20 }), drop }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
