import type { Person } from '../../world.ts'
import { pick, type Random } from '../random.ts'

export interface Wanted {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: unknown
  /** Idempotency-Key: the same request may be sent again. */
  readonly key?: string
}

export interface Answered {
  readonly status: number
  readonly body: unknown
}

const ANSWER_MS = 10_000
const PAUSE_MS = 700

interface Api {
  readonly apiUrls: readonly string[]
  readonly origin: string
}

/** Asks any api once. undefined: no answer came. */
export async function ask(
  { apiUrls, origin }: Api,
  { cookie }: Pick<Person, 'cookie'>,
  { method, path, body, key }: Wanted,
  random: Random,
): Promise<Answered | undefined> {
  const headers = { cookie, origin, 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) }
  try {
    const signal = AbortSignal.timeout(ANSWER_MS)
    const answer = await fetch(pick(random, apiUrls) + path, { method, headers, body: JSON.stringify(body), signal })
    return { status: answer.status, body: await answer.json() }
  } catch {
    return undefined
  }
}

/** The same again, at any api, until one says yes or no. undefined: none has before the patience was over. */
export async function askUntilAnswered(
  api: Api,
  person: Pick<Person, 'cookie'>,
  wanted: Wanted & { readonly key: string },
  random: Random,
  isPatient: () => boolean,
): Promise<Answered | undefined> {
  while (isPatient()) {
    const answer = await ask(api, person, wanted, random)
    if (answer !== undefined && answer.status < 500) return answer
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return undefined
}
