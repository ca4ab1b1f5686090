import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WAIT_MS = 25_000
const LOOK_EVERY_MS = 100

function fileIn(dataDir: string): string {
  return join(dataDir, 'api.pid')
}

/** For the next start on the same data after this supervisor was killed. */
export function noteApi(dataDir: string, pid: number): void {
  writeFileSync(fileIn(dataDir), String(pid))
}

/** The api of a killed supervisor ends by itself within seconds; until then it holds the ports and the database. */
export async function untilEarlierApiEnded(dataDir: string, say: (line: string) => void): Promise<void> {
  const pid = Number(textOf(fileIn(dataDir)))
  if (!isApi(pid)) return
  say('Waiting for an earlier Parley on this data to end.')
  for (const deadline = Date.now() + WAIT_MS; isApi(pid) && Date.now() < deadline;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/** Process ids are reused: on Linux the command line must be the api's. */
function isApi(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 2) return false
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return process.platform !== 'linux' || textOf(`/proc/${pid}/cmdline`).includes('api-process')
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
