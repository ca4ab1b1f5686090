import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const SCRIPT = `
  const { openSync } = await import('node:fs')
  const { espeak } = await import(${JSON.stringify(fileURLToPath(new URL('./espeak.ts', import.meta.url)))})
  const { voiceShape } = await import(${JSON.stringify(fileURLToPath(new URL('../../../../../packages/voice-ports/src/voices.ts', import.meta.url)))})
  try { for (;;) openSync('/dev/null') } catch {}
  await espeak('espeak-ng', 'Hello.', 'en', voiceShape('default')).catch(() => process.stderr.write('refused'))
`

it('espeak rejects without ending the process when no more files can be opened', () => {
  const args = ['-c', 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', process.execPath, SCRIPT]
  const { status, stderr } = spawnSync('sh', args, { timeout: 20_000, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'refused' })
})
