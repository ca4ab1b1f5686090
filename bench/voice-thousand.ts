import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { personas } from '@parley/sandbox'
import { rehearseMany, type ManyResult } from '../apps/standalone/src/rehearsal/many.ts'

// 1,000 calls to all personas at 50 times the speed: how each ends, and whether memory grows.

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000' },
    speed: { type: 'string', default: '50' },
    together: { type: 'string', default: '16' },
    write: { type: 'boolean', default: false },
  },
})
const calls = Number(values.calls)
/** Memory is sampled after this many calls. */
const LOOK_EVERY = 100

function heldMb(): number {
  gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}

/** "agent_closed 55" */
function counted(words: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].map(([word, count]) => `${word} ${count}`).join(', ') || '-'
}

function markdown(results: readonly ManyResult[]): string {
  const rows = personas.map(({ number, about }) => {
    const own = results.filter((result) => result.number === number)
    const statuses = own.flatMap(({ outcomes }) => outcomes.map(({ status }) => status)).toSorted()
    return `| ${number} | ${about} | ${counted(own.map(({ reason }) => reason ?? 'none'))} | ${counted(statuses)} | ${own.filter(({ right }) => right).length} of ${own.length} |`
  })
  const head =
    '| number | the callee | how the calls ended | objectives | as its callee decides |\n|---|---|---|---|---|'
  return `${head}\n${rows.join('\n')}\n`
}

const looks: { readonly done: number; readonly mb: number }[] = []
const startedAt = performance.now()
const results = await rehearseMany({
  calls,
  speed: Number(values.speed),
  together: Number(values.together),
  onCall: (done) => {
    if (done % LOOK_EVERY === 0) looks.push({ done, mb: heldMb() })
  },
})
const seconds = (performance.now() - startedAt) / 1000
const wrong = results.filter(({ right }) => !right)

console.log(`${calls} calls, ${values.together} at once, at speed ${values.speed}, in ${seconds.toFixed(0)} s\n`)
console.log(markdown(results))
console.log(`Ended otherwise than their callee decides: ${wrong.length}`)
for (const { number, reason } of wrong) console.log(`  ${number}: ${reason ?? 'no end'}`)
console.log(
  `Held after each ${LOOK_EVERY} calls: ${looks.map(({ mb }) => mb.toFixed(1)).join(', ')} MB; at the end, all let go of: ${heldMb().toFixed(1)} MB`,
)
if (values.write) {
  const text = `# All personas of the simulated network, in ${calls} calls\n
\`npm run bench -- voice-thousand --write\` calls all personas in turn, ${values.together} at once, at SANDBOX_SPEED=${values.speed}, about four subjects with two objectives each,
through the whole voice service, and writes this table. To follow one call and listen to it: \`npm run rehearse -- 0106 --listen out.wav\`.\n\n${markdown(results)}`
  await writeFile(new URL('../docs/personas.md', import.meta.url), text)
}
process.exitCode = wrong.length === 0 ? 0 : 1
