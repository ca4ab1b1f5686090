import { z } from 'zod'

// Secrets that can be rotated: one, or a list such as `2:…,1:…`. The first one makes; what any of them made is taken.

export interface Key {
  /** null: of a secret that stands alone, as all did before they were first rotated. */
  readonly id: number | null
  readonly secret: string
}

export type Keys = readonly [Key, ...Key[]]

/** So many are tried at most where nothing says which one made it. */
const KEYS_MAX = 5

const LISTED = /^(\d{1,8}):(.+)$/s
const FORM = `must be one secret, or a list of up to ${KEYS_MAX} such as 2:…,1:… whose first one makes`

/** A variable that holds such a secret. `must`: what to say of one that is missing or too short. */
export function secretKeys(minLength: number, must = `must have at least ${minLength} characters`) {
  return z.string({ error: must }).transform((text, context): Keys => {
    const keys = listIn(text) ?? [{ id: null, secret: text }]
    const [first, ...older] = keys
    const problem = problemOf(keys, minLength, must)
    if (problem === undefined && first !== undefined) return [first, ...older]
    context.addIssue({ code: 'custom', message: problem ?? FORM })
    return z.NEVER
  })
}

/** undefined: it is one secret, which may hold commas and colons itself. */
function listIn(text: string): Key[] | undefined {
  if (!LISTED.test(text.trim())) return undefined
  return text.split(',').map((each) => {
    const [, id, secret = ''] = LISTED.exec(each.trim()) ?? []
    return { id: id === undefined ? null : Number(id), secret }
  })
}

function problemOf(keys: readonly Key[], minLength: number, must: string): string | undefined {
  const [only] = keys
  if (keys.length === 1 && only?.id === null) return only.secret.length < minLength ? must : undefined
  if (keys.length > KEYS_MAX || keys.some(({ id }) => id === null)) return FORM
  const short = keys.find(({ secret }) => secret.length < minLength)
  if (short) return `has fewer than ${minLength} characters in key ${short.id}`
  for (const [at, { id, secret }] of keys.entries())
    for (const earlier of keys.slice(0, at)) {
      if (earlier.id === id) return `has two keys with the id ${id}`
      if (earlier.secret === secret) return `has the same secret in the keys ${earlier.id} and ${id}`
    }
  return undefined
}

/** The keys that may have made something: the one that it names, or each where none has that name. */
export function keysFor(keys: Keys, id: number | null): Keys {
  const named = keys.find((key) => key.id !== null && key.id === id)
  return named === undefined ? keys : [named]
}

/** For sentences to the operator. */
export function nameOf(variable: string, { id }: Pick<Key, 'id'>): string {
  return id === null ? variable : `${variable}, key ${id},`
}
