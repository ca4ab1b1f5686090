// What is being typed, by the name of its form: as long as the page lives, and over the end of a session that nobody
// asked for.

const STORAGE_KEY = 'parley.typed'

const kept = new Map<string, object>()

/** What a person was typing under this name before another screen or a new sign-in came between. */
export function recallTyped<Fields extends object>(name: string): Partial<Fields> | undefined {
  for (const [each, fields] of takeStored()) if (!kept.has(each)) kept.set(each, fields)
  return kept.get(name)
}

export function keepTyped(name: string, fields: object): void {
  kept.set(name, structuredClone(fields))
}

export function forgetTyped(name: string): void {
  kept.delete(name)
}

/** The page is loaded anew: what is typed, all of it or under one name, is put away until then, for this tab alone. */
export function storeTyped(name?: string): void {
  const stored = [...kept].filter(([each]) => name === undefined || each === name)
  if (stored.length === 0) return
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(stored))
  } catch {
    // Private windows may forbid storage: then it is typed again.
  }
}

function takeStored(): readonly (readonly [string, object])[] {
  try {
    const stored = sessionStorage.getItem(STORAGE_KEY)
    sessionStorage.removeItem(STORAGE_KEY)
    return stored === null ? [] : (JSON.parse(stored) as [string, object][])
  } catch {
    return []
  }
}
