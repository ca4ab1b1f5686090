import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SipRecords } from './records.ts'

let dir: string
let wallMs: number
const open: SipRecords[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sip-records-'))
  wallMs = Date.now()
})
afterEach(() => {
  for (const records of open.splice(0)) records.close()
  rmSync(dir, { recursive: true, force: true })
})

function process(onFailed: (error: unknown) => void = () => undefined): SipRecords {
  const records = new SipRecords({ dir, wallMs: () => wallMs, onFailed })
  open.push(records)
  return records
}

describe('records of SIP calls', () => {
  it('tells another process about a live call and about its end', () => {
    const first = process()
    const id = first.newId()
    first.placed(id)
    first.answered(id)
    expect(process().find(id)).toEqual({ state: 'live', connectedMs: 0 })
    const end = { cause: 'remote', connectedMs: 4000, code: null, cost: null } as const
    first.ended(id, end)
    expect(process().find(id)).toEqual({ state: 'ended', ...end })
  })

  it('ends the calls of a process that is gone at its last sign of life', () => {
    const first = process()
    const [id, other] = [first.newId(), first.newId()]
    first.placed(id)
    first.answered(id)
    wallMs += 7000
    first.placed(other)
    wallMs += 16_000
    const after = process()
    expect(after.find(id)).toEqual({ state: 'ended', cause: 'dropped', connectedMs: 7000, code: null, cost: null })
    expect(after.find(other)).toMatchObject({ state: 'ended', connectedMs: 0 })
  })

  it('knows nothing of other ids, of paths, and of a file that is no record', () => {
    const first = process()
    const id = first.newId()
    expect(process().find(id)).toBeNull()
    for (const wrong of ['no-such-call', '../x', `../${id}`, `${id}x`]) expect(process().find(wrong)).toBeNull()
    writeFileSync(join(dir, `${id.slice(0, 16)}.jsonl`), 'not json\n{"type":"placed"}\n[]\n')
    expect(process().find(id)).toBeNull()
  })

  it('skips a line that a crash cut off', () => {
    const first = process()
    const id = first.newId()
    first.placed(id)
    appendFileSync(join(dir, `${id.slice(0, 16)}.jsonl`), '{"type":"answ')
    expect(process().find(id)).toMatchObject({ state: 'live' })
  })

  it('stays below 2 MB over 20,000 calls and keeps the live ones', () => {
    const first = process()
    const kept = first.newId()
    first.placed(kept)
    for (let call = 0; call < 20_000; call++) {
      const id = first.newId()
      first.placed(id)
      first.ended(id, { cause: 'busy', connectedMs: 0, code: '486', cost: null })
    }
    expect(statSync(join(dir, readdirSync(dir)[0]!)).size).toBeLessThan(2 * 1024 * 1024)
    expect(process().find(kept)).toMatchObject({ state: 'live' })
  })

  it('removes files of more than a day', () => {
    const old = join(dir, '0123456789abcdef.jsonl')
    const foreign = join(dir, 'other.txt')
    for (const file of [old, foreign]) {
      writeFileSync(file, '')
      utimesSync(file, 1, 1)
    }
    process()
    expect(readdirSync(dir)).toEqual(['other.txt'])
  })

  it('goes on without a disk, and says so', () => {
    const failures: unknown[] = []
    const first = process((error) => failures.push(error))
    rmSync(dir, { recursive: true })
    first.placed(first.newId())
    expect(failures).toHaveLength(1)
  })
})
