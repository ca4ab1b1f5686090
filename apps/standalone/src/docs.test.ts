import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

test('docs/running.md and .env.example match the variables of the schemas', async () => {
  const said = await promisify(execFile)(process.execPath, ['scripts/docs.mjs', '--check'], { cwd: ROOT }).catch(
    (error: unknown) => error,
  )
  expect(said).toEqual({ stdout: '', stderr: '' })
})

test.each(['docs/glossary.md', 'docs/architecture.md', 'CONTRIBUTING.md', 'README.md'])(
  'every path named in %s exists',
  async (document) => {
    const text = await readFile(join(ROOT, document), 'utf8')
    const paths = [...text.matchAll(/`((?:apps|packages|scripts|bench|docs)\/[\w./-]+)`/g)].map(([, path = '']) => path)
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  },
)
