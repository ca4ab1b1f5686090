import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { upgrade, type Upgraded } from './journey.ts'
import { checkOut, PREVIOUS_RELEASE, whyMissing } from './release.ts'

// Two clusters' worth of processes start, and the old ones work on the new schema for a while: about a minute.

const ARTIFACTS = fileURLToPath(new URL('../../../../artifacts/upgrade', import.meta.url))

const missing = await whyMissing(PREVIOUS_RELEASE)
if (missing !== undefined) console.log(`The upgrade is not tested: ${missing}.`)

describe.skipIf(missing !== undefined)('an upgrade from the previous release, under load', () => {
  let dir: string
  let upgraded: Upgraded
  let isGood = false
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'parley-upgrade-'))
    const previous = join(dir, 'previous')
    await checkOut(PREVIOUS_RELEASE, previous)
    upgraded = await upgrade({ dir, previous })
    isGood = true
  }, 900_000)
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') isGood = false
  })
  afterAll(async () => {
    if (!isGood) await cp(join(dir, 'logs'), ARTIFACTS, { recursive: true })
    await rm(dir, { recursive: true, force: true })
  })

  test('npm run migrate succeeds while nodes of the previous release work', () => {
    expect(upgraded.migration.said).toContain('the schema of this version')
    expect(upgraded.migration.code).toBe(0)
  })

  test('nodes of the previous release go on: what is ordered of them on the new schema is done and charged', () => {
    const { done, call, starts } = upgraded
    expect(Math.min(...Object.values(done))).toBeGreaterThan(0)
    expect(call).toMatchObject({ status: 'completed', creditsCharged: expect.any(Number) as number })
    expect(call.creditsCharged).toBeGreaterThan(0)
    expect(Object.values(starts)).toEqual(Object.keys(starts).map(() => 1))
  })

  test('nodes of the previous release read everything on the new schema', () => {
    expect(upgraded.failedReads).toEqual([])
  })

  test('a start of the previous release on the new schema is refused in one sentence', () => {
    expect(upgraded.start.said).toMatch(/^The database was used by a newer Parley: .+\n$/)
    expect(upgraded.start.code).toBe(1)
  })

  test('no node logs an error that the upgrade does not explain', () => {
    expect(upgraded.unexpected).toEqual([])
  })

  test('no call is dropped while nodes are renewed one after the other', () => {
    expect(upgraded.dropped).toEqual([])
  })

  test('after the upgrade everything comes to rest, and all invariants hold', () => {
    expect(upgraded.settled.left).toEqual([])
    expect(upgraded.findings.filter(({ breaches }) => breaches.length > 0)).toEqual([])
  })
})
