import { CALL_LANGUAGES, CALL_MINUTES_MAX, CallLanguage, Tone, TONES, type CallOrder } from '@parley/contract'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { personas, SANDBOX } from '@parley/sandbox'
import { type Context, createContext, noJournal, readConfig } from '@parley/voice/adapters'
import { orderTo } from './orders.ts'
import { rehearse } from './rehearse.ts'
import { Recorder } from './recorder.ts'
import { conclusionOf, lineOf, table, tally, timeOf } from './words.ts'

const USAGE = `Calls one of the callees of the simulated network and shows what comes of it.

  npm run rehearse -- 0106 [--listen out.wav]    one call, by the end of the test number
  npm run rehearse -- --all                      all of them at once, and a table

  --listen FILE     keep the call as a WAV file, the callee left and the agent right
  --purpose TEXT    what the call is for
  --objective TEXT  something to achieve; may be given several times
  --context JSON    what the agent may tell: {"name": "Anna Lee"}
  --language NAME   ${CALL_LANGUAGES.join(', ')}
  --tone NAME       ${TONES.join(', ')}
  --minutes N       the call's time limit, 1 to ${CALL_MINUTES_MAX} (3)
  --speed N         call time runs so many times faster than the clock on the wall, 1 to 100 (1)
`

const Options = z.object({
  all: z.boolean().default(false),
  listen: z.string().optional(),
  purpose: z.string().min(1).optional(),
  objective: z.array(z.string()).optional(),
  context: z
    .string()
    .transform((text, checked) => {
      try {
        return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
      } catch {
        checked.addIssue({ code: 'custom', message: 'is not a JSON object' })
        return z.NEVER
      }
    })
    .optional(),
  language: CallLanguage.optional(),
  tone: Tone.optional(),
  minutes: z.coerce.number().min(1).max(CALL_MINUTES_MAX).default(3),
  speed: z.coerce.number().min(1).max(100).default(1),
})
type Options = z.output<typeof Options>

class UsageError extends Error {}

function readCommandLine(): { readonly number: string | null; readonly options: Options } {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: 'boolean' },
      objective: { type: 'string', multiple: true },
      listen: text,
      purpose: text,
      context: text,
      language: text,
      tone: text,
      minutes: text,
      speed: text,
    },
  })
  const read = Options.safeParse(values)
  if (!read.success)
    throw new UsageError(read.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'))
  const [number = null] = positionals
  const numbers = personas.map((persona) => persona.number)
  if (number !== null && !numbers.includes(number))
    throw new UsageError(`${number} is nobody here. There are ${numbers.join(', ')}.`)
  if (number === null && !read.data.all) throw new UsageError(USAGE)
  return { number, options: read.data }
}

function orderFor(number: string, { purpose, objective, context, language, tone, minutes }: Options): CallOrder {
  const given = { purpose, objectives: objective ?? (purpose === undefined ? undefined : []), context, language, tone }
  const told = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return orderTo(number, { ...told, limitSeconds: Math.round(minutes * 60) })
}

async function callOne(context: Context, number: string, options: Options): Promise<void> {
  const recorder = new Recorder(context.clock)
  const carrier = recorder.record(context.carrier)
  const order = orderFor(number, options)
  const persona = personas.find((callee) => callee.number === number)
  console.log(`${order.callee}: ${persona?.about ?? ''}\n${order.purpose}: ${order.objectives.join('; ')}\n`)
  const rehearsal = await rehearse({ ...context, carrier }, order, (fact) => {
    const line = lineOf(fact)
    if (line !== null) console.log(line)
  })
  console.log(conclusionOf(rehearsal))
  if (options.listen === undefined) return
  await writeFile(options.listen, recorder.wav())
  console.log(`\n${options.listen}: the callee left, the agent right, from the answer on`)
}

async function callAll(context: Context, options: Options): Promise<void> {
  const rows = await Promise.all(
    personas.map(async ({ number, about }) => {
      const { ended, wrappedUp, turns } = await rehearse(context, orderFor(number, options))
      return [
        number,
        about,
        ended.reason,
        timeOf(ended.connectedSeconds * 1000),
        `${turns.length}`,
        tally(wrappedUp.outcomes),
      ]
    }),
  )
  console.log(table([['number', 'callee', 'end', 'connected', 'turns', 'objectives'], ...rows]))
}

async function main(): Promise<void> {
  const { number, options } = readCommandLine()
  const config = readConfig({
    VOICE_SECRET: 'nobody listens in a rehearsal',
    SANDBOX_SPEED: `${options.speed}`,
    LOG_LEVEL: 'warn',
  })
  const context = await createContext(config, { sandbox: SANDBOX, journal: noJournal })
  if (number === null) await callAll(context, options)
  else await callOne(context, number, options)
}

try {
  await main()
} catch (error) {
  const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error)
  console.error(isUsage ? error.message : error)
  process.exitCode = 1
}
