import type { Outcome } from '@parley/contract'
import { isOptOut } from '@parley/offline-mind'
import type { Asked, CallState, Observation, Usage } from '@parley/voice-ports'
import { z } from 'zod'
import { languageEvent, lastWords } from './composer.ts'
import { fenced } from './order.ts'
import { outcomeFrom } from './outcomes.ts'
import { prefixOf, situationOf } from './prompt.ts'
import { JUDGING } from './rules.ts'
import { askFor } from './structured.ts'
import type { Talking } from './talker.ts'
import { ToldValue } from './tools.ts'

// What outcomes are judged by, for the observer and for the conclusion.

/** Each field is there, or null: the strict form of vendors knows no missing ones. */
export const JudgedOutcome = z.object({
  objective: z.number().describe('Its number, from 1'),
  status: z.enum(['met', 'met_within_limits', 'offered', 'refused', 'open']),
  quote: z.string().nullable().describe('The words of the callee that show it, exactly as in their turn'),
  offer: z.string().nullable().describe('What was offered, or agreed within limits'),
  value: ToldValue.nullable(),
})

const TURNS_MAX = 400
const LETTERS_MAX = 60_000

/** The end of a long call matters more than its beginning. */
export function transcriptOf({ turns }: CallState): string {
  const lines = turns
    .slice(-TURNS_MAX)
    .filter(({ text }) => text.trim() !== '')
    .map(({ speaker, text }) => fenced(speaker === 'user' ? 'callee_said' : 'assistant_said', text))
  let letters = 0
  return lines
    .toReversed()
    .filter((line) => (letters += line.length) <= LETTERS_MAX)
    .toReversed()
    .join('\n')
}

const Observed = z.object({
  outcomes: z.array(JudgedOutcome).describe('Only objectives whose outcome differs from the one noted so far'),
  opted_out: z.string().nullable().describe('The words in which they ask never to be called again; else null'),
  language: z
    .string()
    .nullable()
    .describe('BCP 47 tag of the language the callee speaks, where it is another; else null'),
})

/** A second look at the turns, beside the speaking. */
export async function* observe(asked: Asked, talking: Talking, signal: AbortSignal): AsyncGenerator<Observation> {
  const words = lastWords(asked.turns)
  // Nothing to judge.
  if (signal.aborted || !/[\p{L}\p{N}]/u.test(words)) return
  const spent: Usage[] = []
  const task = 'Which outcomes have changed, did they opt out, and which language do they speak?'
  const content = `${transcriptOf(asked)}\n\n${situationOf(asked)}\n\n${task}`
  try {
    const question = { instructions: prefixOf(asked, JUDGING), messages: [{ role: 'user' as const, content }] }
    const observed = await askFor(
      { question, schema: Observed, spend: (usage) => spent.push({ ...usage, task: 'judging' }) },
      talking,
      signal,
    )
    if (signal.aborted) return
    yield* outcomesOf(observed.outcomes, asked)
    const optOut = isOptOut(words) ? words : quoteOf(observed.opted_out, asked)
    if (optOut !== null) yield { type: 'opted_out', quote: optOut }
    const language = observed.language === null ? null : languageEvent(observed.language, asked.language)
    if (language) yield language
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    if (!signal.aborted) yield* spent
  }
}

function outcomesOf(judged: readonly z.infer<typeof JudgedOutcome>[], asked: Asked): Observation[] {
  return judged.flatMap((each) => {
    const told = each.status === 'open' ? null : outcomeFrom(each, asked)
    if (!told || isSame(told.outcome, asked.outcomes[told.index])) return []
    return [{ type: 'outcome' as const, ...told }]
  })
}

function isSame(told: Outcome, known: Outcome | undefined): boolean {
  return known?.status === told.status && known.quote === told.quote && (known.offer ?? null) === (told.offer ?? null)
}

/** Only what the callee really said counts, in the turn that it names. */
function quoteOf(quote: string | null, { turns }: Asked): string | null {
  const words = quote?.trim() ?? ''
  return words !== '' && turns.some(({ speaker, text }) => speaker === 'user' && text.includes(words)) ? words : null
}
