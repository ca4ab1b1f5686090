import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'

/** A process that logs 2,000 errors. */
const PROGRAM = `
  const { createLog } = await import(${JSON.stringify(import.meta.resolve('./log.ts'))})
  const log = createLog('info')
  for (let line = 0; line < 2000; line++) log.error({ err: new Error('lost') }, 'a line')
  process.stderr.write('still here')
`

test.runIf(process.platform === 'linux')('a process goes on when its log cannot be written', () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', full, 'pipe'],
    timeout: 40_000,
    encoding: 'utf8',
  })
  closeSync(full)
  expect([status, stderr]).toEqual([0, 'still here'])
})
