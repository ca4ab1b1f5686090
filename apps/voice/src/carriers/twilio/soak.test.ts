import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const BENCH = fileURLToPath(new URL('../../../../../bench/telephony.ts', import.meta.url))

/** The soak of `npm run soak -- twilio`, short: a machine that runs tests keeps no time, so its lateness says little. */
const ARGS = ['soak', '--calls', '4', '--minutes', '0.1', '--call-seconds', '2', '--late-percent', '50']

describe('calls over Twilio, one after the other', () => {
  it('end once with their seconds, and leave no leg, socket, timer or memory', async () => {
    const { error, printed } = await new Promise<{ error: Error | null; printed: string }>((resolve) => {
      execFile(process.execPath, ['--expose-gc', BENCH, ...ARGS], { timeout: 55_000 }, (failed, printedText) =>
        resolve({ error: failed, printed: printedText }),
      )
    })
    expect(printed).not.toContain('Wrong:')
    expect(printed).toContain('left: 0 legs, 0 media sockets, 0 timers, 0 sockets of any kind')
    expect(error).toBeNull()
  })
})
