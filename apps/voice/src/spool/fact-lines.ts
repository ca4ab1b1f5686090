import { Fact } from '@parley/contract'
import { z } from 'zod'

// The file of one call: a line a record, JSON. A later fact replaces an earlier one of its number.

const Record = z.object({
  token: z.string().optional(),
  traceparent: z.string().optional(),
  taken: z.int().optional(),
  fact: z.looseObject({ seq: z.int().min(1), type: z.string() }).optional(),
})
/** What is known of the call from its order. */
export interface FactHead {
  /** An older api gave none. */
  readonly token?: string | undefined
  /** Of the call's trace, where it has one. */
  readonly traceparent?: string | undefined
}
export type FactRecord = FactHead | { readonly taken: number } | { readonly fact: Fact }

export interface KeptFacts extends FactHead {
  /** The api has everything up to this number. */
  readonly taken: number
  /** In order of their numbers. */
  readonly facts: readonly Fact[]
  /** Written by another version, and not as the contract says. */
  readonly unreadable: readonly { readonly seq: number; readonly type: string }[]
}

export function lineOf(record: FactRecord): string {
  return `${JSON.stringify(record)}\n`
}

/** Empty where nothing is known. */
export function headLine({ token, traceparent }: FactHead): string {
  return token === undefined && traceparent === undefined ? '' : lineOf({ token, traceparent })
}

/** Skips a line that a crash cut off. */
export function readLines(text: string): KeptFacts {
  const facts = new Map<number, Fact>()
  const unreadable = new Map<number, KeptFacts['unreadable'][number]>()
  let head: FactHead = {}
  let taken = 0
  for (const line of text.split('\n')) {
    const record = recordIn(line)
    head = { token: record?.token ?? head.token, traceparent: record?.traceparent ?? head.traceparent }
    taken = Math.max(taken, record?.taken ?? 0)
    if (!record?.fact) continue
    const { data } = Fact.safeParse(record.fact)
    if (data) facts.set(data.seq, data)
    else unreadable.set(record.fact.seq, record.fact)
  }
  return {
    ...head,
    taken,
    facts: [...facts.values()].toSorted((one, other) => one.seq - other.seq),
    unreadable: [...unreadable.values()].filter(({ seq }) => seq > taken && !facts.has(seq)),
  }
}

function recordIn(line: string): z.output<typeof Record> | undefined {
  try {
    return Record.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** The same without the earlier states of turns that the api has. */
export function compacted({ token, traceparent, taken, facts }: KeptFacts): string {
  const newest = new Map(facts.flatMap((fact) => (fact.type === 'turn' ? [[fact.turn.index, fact.seq] as const] : [])))
  const kept = facts.filter(
    (fact) => fact.seq > taken || fact.type !== 'turn' || newest.get(fact.turn.index) === fact.seq,
  )
  return [headLine({ token, traceparent }), lineOf({ taken }), ...kept.map((fact) => lineOf({ fact }))].join('')
}
