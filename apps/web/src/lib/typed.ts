// Typed values by form name, kept while the page lives, even across a lost session.

const STORAGE_KEY = 'parley.typed'

const kept = new Map<string, object>()

/** The values typed under this name before a navigation or a new sign-in. */
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

/** Before a reload: stores all typed values, or those of one name, for this tab. */
export function storeTyped(name?: string): void {
  const stored = [...kept].filter(([each]) => name === undefined || each === name)
  if (stored.length === 0) return
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(stored))
  } catch {
    // Private windows may deny storage; then the values are lost.
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
