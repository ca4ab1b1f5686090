import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// docs/screens.md names the test of each sentence of the specification; a removed test must be noticed there.

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SECTIONS = ['2', '4', '5', '7', '8', '9']
/** In a cell: `file` › `id`, one per line. */
const REFERENCE = /`([\w./-]+)` › `([\w-]+)`/g
/** The comment over a test or describe. */
const MARK = /^[ ]*\/\/ screens\.md: ([\w-]+)\n(?:[ ]*\/\/.*\n)*[ ]*(?:test|it|describe)\b/gm

const table = readFileSync(join(ROOT, 'docs/screens.md'), 'utf8')
const rows = table.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:-|What)/.test(line))
const named = rows.flatMap((row) => [...row.matchAll(REFERENCE)].map(([, file = '', id = '']) => `${file} › ${id}`))

const marked: string[] = []
for (const room of ['apps', 'packages']) {
  for (const entry of readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(test|e2e)\.tsx?$/.test(entry) || entry.includes('node_modules')) continue
    const source = readFileSync(join(ROOT, room, entry), 'utf8')
    for (const [, id = ''] of source.matchAll(MARK)) marked.push(`${room}/${entry} › ${id}`)
  }
}

test.each(SECTIONS)('section %s has more than three sentences', (section) => {
  const [, text = ''] = table.split(`\n## ${section}. `)
  expect((text.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| ')).length).toBeGreaterThan(3)
})

test('every sentence names a test', () => {
  expect(rows.filter((row) => !row.match(REFERENCE))).toEqual([])
  expect(rows.length).toBeGreaterThan(90)
})

test('every id marks one test', () => {
  expect(marked.filter((id, at) => marked.indexOf(id) !== at)).toEqual([])
})

test('the ids in docs/screens.md and in the tests are the same', () => {
  expect([...new Set(named)].toSorted()).toEqual(marked.toSorted())
})
