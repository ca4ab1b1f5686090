import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runChaos } from './run.ts'
import { FAULT_KINDS, FIRST_ROUND_MS } from './schedule.ts'

// Eleven processes; npm run chaos goes on for half an hour.
// Longer than 20 s: a fault of each kind outlasts the leases, and then all that was ordered has to end.

const ARTIFACTS = fileURLToPath(new URL('../../../../artifacts/chaos', import.meta.url))
/** A voice node is killed, a worker stopped, and another voice node cut off for 17 s while the third has no network. */
const SEED = 95

test('a cluster of which every kind of part breaks once loses nothing, doubles nothing and comes to rest', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-chaos-'))
  const lines: string[] = []
  const options = { seed: SEED, faultsForMs: FIRST_ROUND_MS, settleMs: 240_000 }
  try {
    const outcome = await runChaos({ ...options, dir, say: (line) => void lines.push(line) })
    const wrong = outcome.findings.filter(({ breaches }) => breaches.length > 0)
    const told = lines.join('\n')
    expect({ wrong, left: outcome.settled.left, told }).toEqual({ wrong: [], left: [], told })
    const kinds = FAULT_KINDS.filter((kind) => kind !== 'link' || outcome.hasNamespace)
    expect(outcome.faults.map(({ kind }) => kind).toSorted()).toEqual(kinds.toSorted())
    // There was something to lose.
    const { accepted, facts, webhooks } = outcome.figures
    expect(Math.min(accepted, facts, webhooks)).toBeGreaterThan(10)
  } catch (error) {
    await cp(join(dir, 'logs'), ARTIFACTS, { recursive: true })
    throw error
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}, 900_000)
