import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

test('docs/running.md and .env.example have every variable of the configuration, with its default and meaning, and no other', async () => {
  const said = await promisify(execFile)(process.execPath, ['scripts/docs.mjs', '--check'], { cwd: ROOT }).catch(
    (error: unknown) => error,
  )
  expect(said).toEqual({ stdout: '', stderr: '' })
})
