/**
 * Remembers what a pure function made of the latest texts: the rules of a call read the same few again and again. What
 * else it takes must be plain data. Forgets all of them once there are `most`.
 */
export function remembered<T, More extends readonly unknown[]>(
  read: (text: string, ...more: More) => T,
  most = 512,
): (text: string, ...more: More) => T {
  const known = new Map<string, T>()
  return (text, ...more) => {
    const key = more.length === 0 ? text : JSON.stringify([text, more])
    const before = known.get(key)
    if (before !== undefined) return before
    const made = read(text, ...more)
    if (known.size >= most) known.clear()
    known.set(key, made)
    return made
  }
}
