import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { NOT_SHOWN } from './not-shown.ts'
import { type FileShown, SHOWN } from './shown.ts'

const HERE = dirname(fileURLToPath(import.meta.url))
const files = globSync('**/*.test.tsx', { cwd: HERE })
const kept = (existsSync(SHOWN) ? readFileSync(SHOWN, 'utf8') : '')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as FileShown)
const ran = new Set(kept.map(({ file }) => basename(file)))
const isWhole = files.every((file) => ran.has(basename(join(HERE, file))))

test.skipIf(!isWhole)('every message of the catalogue is shown by a component test or listed in NOT_SHOWN', () => {
  const shown = new Set(kept.flatMap((each) => each.shown))
  const missing = (kept[0]?.all ?? []).filter((place) => !shown.has(place))
  const isExcused = (place: string) => NOT_SHOWN.some(([prefix]) => place === prefix || place.startsWith(`${prefix}.`))
  expect(missing.filter((place) => !isExcused(place))).toEqual([])
  // A message that is shown must not be listed.
  expect(
    NOT_SHOWN.filter(([prefix]) => !missing.some((place) => place === prefix || place.startsWith(`${prefix}.`))),
  ).toEqual([])
})
