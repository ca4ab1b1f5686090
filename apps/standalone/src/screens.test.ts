import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// docs/screens.md says which test shows each sentence of the specification. A test that is renamed or goes must be
// missed there.

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SECTIONS = ['2', '4', '5', '7', '8', '9']
/** In a cell: `file` › `title`, one a line. */
const REFERENCE = /`([\w.-]+)` › `([^`]+)`/g

const table = readFileSync(join(ROOT, 'docs/screens.md'), 'utf8')
const rows = table.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:-|What)/.test(line))
const references = rows.flatMap((row) =>
  [...row.matchAll(REFERENCE)].map(([, file = '', title = '']) => ({ row, file, title })),
)

const sources = new Map<string, string[]>()
for (const room of ['apps', 'packages']) {
  for (const entry of readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(test|e2e)\.tsx?$/.test(entry) || entry.includes('node_modules')) continue
    const known = sources.get(basename(entry)) ?? []
    sources.set(basename(entry), [...known, readFileSync(join(ROOT, room, entry), 'utf8')])
  }
}

/** As a title stands in a test's own file, behind its quote. */
function isTitled(source: string, title: string): boolean {
  return ["'", '"', '`'].some(
    (quote) => source.includes(quote + title) || source.includes(quote + title.replaceAll("'", String.raw`\'`)),
  )
}

test.each(SECTIONS)('section %s has its sentences', (section) => {
  const [, text = ''] = table.split(`\n## ${section}. `)
  expect((text.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| ')).length).toBeGreaterThan(3)
})

test('every sentence is shown by a test', () => {
  expect(rows.filter((row) => !row.match(REFERENCE))).toEqual([])
  expect(rows.length).toBeGreaterThan(90)
})

test('every test that is named is there', () => {
  const missing = references.filter(({ file, title }) => !sources.get(file)?.some((source) => isTitled(source, title)))
  expect(missing.map(({ file, title }) => `${file} › ${title}`)).toEqual([])
})
