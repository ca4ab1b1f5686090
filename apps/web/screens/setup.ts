import { rmSync } from 'node:fs'
import { SHOWN } from './shown.ts'

/** Removes the results of an earlier run. */
export default function setup(): void {
  rmSync(SHOWN, { force: true })
}
