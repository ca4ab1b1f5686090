import type { Usage } from '@parley/voice-ports'
import { Output } from 'ai'
import { z } from 'zod'
import { Exchange, type Question } from './exchange.ts'
import { failureOf, ModelFailure } from './failure.ts'
import type { Talking } from './talker.ts'

interface Asked<T> {
  readonly question: Pick<Question, 'instructions' | 'messages'>
  readonly schema: z.ZodType<T>
  /** Called for each request, also where its answer was of no use. */
  readonly spend: (usage: Usage) => void
}

const ANSWER_LETTERS_MAX = 40_000
const SHOWN_LETTERS_MAX = 4000
const FENCE = /^```(?:json)?\s*|\s*```$/g

/**
 * An answer in the form of a schema, read whole. One that does not fit is asked for once more, with what is wrong; so is
 * one whose server knows no schemas, which then is told the form in words.
 */
export async function askFor<T>(asked: Asked<T>, talking: Talking, signal: AbortSignal): Promise<T> {
  const { question, schema, spend } = asked
  const output = Output.object({ schema })
  const first = await textOf({ ...question, output }, talking, spend, signal).catch((error: unknown) => {
    const failure = failureOf(error)
    if (failure.status !== 400 && failure.status !== 422) throw failure
    return null
  })
  const read = first === null ? null : readAs(schema, first)
  if (read?.success === true) return read.data
  const wrong = read === null ? '' : `Your answer does not fit: ${z.prettifyError(read.error).slice(0, 500)}\n`
  const form = `${wrong}Answer with one JSON object alone, in this JSON schema:\n${JSON.stringify(z.toJSONSchema(schema))}`
  const again = [
    ...question.messages,
    ...(first === null ? [] : [{ role: 'assistant' as const, content: first.slice(0, SHOWN_LETTERS_MAX) || '{}' }]),
    { role: 'user' as const, content: form },
  ]
  const repaired = { ...question, messages: again, ...(first !== null && { output }) }
  const second = readAs(schema, await textOf(repaired, talking, spend, signal))
  if (second.success) return second.data
  throw new ModelFailure('unusable', 'The answer does not fit its form, nor did its repair.')
}

async function textOf(
  question: Question,
  { talking, limits, clock }: Talking,
  spend: (usage: Usage) => void,
  signal: AbortSignal,
): Promise<string> {
  const exchange = new Exchange(talking, limits, clock)
  let text = ''
  for await (const part of exchange.parts(question, signal)) {
    exchange.counts()
    if (part.type === 'text') text += part.text
    if (part.type === 'end') {
      spend(part.usage)
      return text
    }
    if (text.length > ANSWER_LETTERS_MAX) throw new ModelFailure('unusable', 'The answer is too long.')
  }
  throw new ModelFailure('broken', 'The request was given up.')
}

function readAs<T>(schema: z.ZodType<T>, text: string): z.ZodSafeParseResult<T> {
  return schema.safeParse(jsonOf(text.trim().replace(FENCE, '')))
}

/** Undefined where it is none; some models talk around it. */
function jsonOf(text: string): unknown {
  const inner = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  try {
    return JSON.parse(inner)
  } catch {
    return undefined
  }
}
