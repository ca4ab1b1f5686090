/**
 * Remembers what a pure function made of the latest texts: the rules of a turn read the same few again and again.
 * Forgets all of them once there are `most`.
 */
export function remembered<T>(read: (text: string) => T, most = 512): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const made = read(text)
    if (known.size >= most) known.clear()
    known.set(text, made)
    return made
  }
}
