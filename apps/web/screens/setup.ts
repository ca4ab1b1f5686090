import { rmSync } from 'node:fs'
import { SHOWN } from './shown.ts'

/** What an earlier run has shown counts for nothing. */
export default function setup(): void {
  rmSync(SHOWN, { force: true })
}
