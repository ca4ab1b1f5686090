import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { Journal } from './journal.ts'

const dir = mkdtempSync(join(tmpdir(), 'parley-journal-'))
afterEach(() => rmSync(dir, { recursive: true, force: true }))

it('remembers dialed calls across processes and ignores a line cut off by a crash', () => {
  const first = new Journal(dir)
  first.dials('one')
  first.dials('two')
  expect(first.dialedBefore('one')).toBe(false)
  appendFileSync(join(dir, 'dialed-calls'), '"thr')
  const second = new Journal(dir)
  expect(['one', 'two', 'three', 'thr'].map((id) => second.dialedBefore(id))).toEqual([true, true, false, false])
  second.dials('four')
  expect(['one', 'four'].map((id) => new Journal(dir).dialedBefore(id))).toEqual([true, true])
})
