import { afterEach } from 'vitest'
import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts'

/** Sandboxes without a shop, in this process; those of a test are closed at its end. */
export function openSandboxes(): (options?: Partial<SandboxOptions>) => Promise<Sandbox> {
  const open: Sandbox[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })
  return async (options = {}) => {
    const started = await startSandbox({ port: 0, processingMs: 30, ...options })
    open.push(started)
    return started
  }
}
