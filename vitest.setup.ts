import { format } from 'node:util'
import { afterAll, afterEach } from 'vitest'

// A test that expects console.error replaces it with its own spy; whatever reaches this one was not expected.
const complaints: string[] = []
console.error = (...parts: unknown[]) => void complaints.push(`console.error: ${format(...parts)}`)
const onRejection = (reason: unknown) => void complaints.push(`unhandled rejection: ${format(reason)}`)
process.on('unhandledRejection', onRejection)
// A worker takes many files.
afterAll(() => void process.off('unhandledRejection', onRejection))

afterEach(async () => {
  // Rejections are announced only after the microtasks of the test have run.
  await new Promise((resolve) => setImmediate(resolve))
  if (complaints.length > 0) throw new Error(`Unexpected ${complaints.splice(0).join('\n')}`)
})
