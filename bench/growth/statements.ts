import pg from 'pg'

export interface Taken {
  readonly text: string
  readonly ms: number
}

/** Statements that this process sends to PostgreSQL while `work` runs, on whichever connection, with their times. */
export async function timedStatements(work: () => Promise<void>): Promise<Taken[]> {
  const taken: Taken[] = []
  const query: unknown = Reflect.get(pg.Client.prototype, 'query')
  if (typeof query !== 'function') throw new Error('The driver has no query method.')
  function timing(this: pg.Client, ...args: unknown[]): unknown {
    const [first] = args
    const text = typeof first === 'string' ? first : String(Reflect.get(Object(first), 'text') ?? '')
    const startedAt = performance.now()
    const answer: unknown = Reflect.apply(query as () => unknown, this, args)
    if (!(answer instanceof Promise)) return answer
    return answer.finally(() => taken.push({ text, ms: performance.now() - startedAt }))
  }
  Reflect.set(pg.Client.prototype, 'query', timing)
  try {
    await work()
    return taken
  } finally {
    Reflect.set(pg.Client.prototype, 'query', query)
  }
}

export function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
}
