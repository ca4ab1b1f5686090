import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const Failure = z.looseObject({ message: z.string().optional(), code: z.union([z.string(), z.number()]).optional() })
const Line = z.looseObject({
  level: z.number(),
  err: z.looseObject({ ...Failure.shape, cause: Failure.optional() }).optional(),
})

const WARN = 40
const ERROR = 50

/** Of a machine that is too slow: connections wait behind the locks of the migration, and heartbeats are late. */
const EXPECTED = [/timeout exceeded when trying to connect/, /Calls cannot be started right now/]
/** What PostgreSQL says of data, rules, rights and names: a statement that does not fit the schema. */
const UNFITTING = /^(22|23|42|P0)...$/

/** Lines that no upgrade explains, each with the name of its process. */
export async function unexpectedIn(dir: string, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(dir, 'logs', `${name}.log`), 'utf8')
      const lines = text.split('\n').filter((line) => line !== '' && isUnexpected(line))
      return lines.map((line) => `${name}: ${line}`)
    }),
  )
  return found.flat()
}

export function isUnexpected(line: string): boolean {
  if (EXPECTED.some((each) => each.test(line))) return false
  const parsed = lineIn(line)
  // A process that ends with a sentence, or with a stack.
  if (!parsed) return true
  const { level, err } = parsed
  const codes = [err?.code, err?.cause?.code].map(String)
  return level >= ERROR || (level >= WARN && codes.some((code) => UNFITTING.test(code)))
}

function lineIn(line: string): z.infer<typeof Line> | undefined {
  try {
    return Line.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}
