import { execFile } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

// Longer than 20 s: a minute of calls, because a leak shows after hundreds of them.

const BENCH = fileURLToPath(new URL('../../../../../bench/telephony.ts', import.meta.url))

/**
 * The soak of `npm run soak -- twilio` for a minute, which is most of this file's time: a leak shows after hundreds of
 * calls, so they are short. A machine that runs tests keeps no time, so its lateness says little.
 */
const ARGS = ['soak', '--calls', '20', '--minutes', '1', '--call-seconds', '2', '--late-percent', '50']
const DEADLINE_MS = 300_000
/** Before the files beside it: its calls have the speed of speech. */
const FIRST = -10

/** Only root may: it is one among the others, then. */
function putFirst(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, FIRST)
  } catch {
    return
  }
}

describe('calls over Twilio, one after the other', () => {
  it(
    'end once with their seconds, and leave no leg, socket, timer or memory',
    async () => {
      const { error, printed } = await new Promise<{ error: Error | null; printed: string }>((resolve) => {
        const { pid } = execFile(
          process.execPath,
          ['--expose-gc', BENCH, ...ARGS],
          { timeout: DEADLINE_MS },
          (failed, printedText) => resolve({ error: failed, printed: printedText }),
        )
        putFirst(pid)
      })
      expect(printed).not.toContain('Wrong:')
      expect(printed).toContain('left: 0 legs, 0 media sockets, 0 timers, 0 sockets of any kind')
      expect(error).toBeNull()
    },
    DEADLINE_MS,
  )
})
