/** Work that is cheaper for several items in one transaction. */
export interface TogetherOptions<Item, Answer> {
  /** Answers in the order of the items. Never rejects. */
  readonly run: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Answer>[]>
  /** Items with the same key are never in one group. */
  readonly keyOf: (item: Item) => string
  /** Items of a group at most. */
  readonly size: number
  /** Groups that run at once; only what comes while so many run is grouped, so nothing waits for others to come. */
  readonly atOnce: number
}

interface Waiting<Item, Answer> {
  readonly item: Item
  readonly answer: (result: PromiseSettledResult<Answer>) => void
}

/** Runs an item at once, or, while `atOnce` groups run, with those that wait as well. */
export function createTogether<Item, Answer>(options: TogetherOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  const { run, keyOf, size, atOnce } = options
  let waiting: readonly Waiting<Item, Answer>[] = []
  let running = 0

  /** This group's share of those that wait, the first first, one of each key. */
  function next(): readonly Waiting<Item, Answer>[] {
    const share = Math.min(size, Math.ceil(waiting.length / atOnce))
    const group = new Map<string, Waiting<Item, Answer>>()
    for (const each of waiting) {
      const key = keyOf(each.item)
      if (group.size < share && !group.has(key)) group.set(key, each)
    }
    const taken = new Set(group.values())
    waiting = waiting.filter((each) => !taken.has(each))
    return [...taken]
  }

  async function work(): Promise<void> {
    running += 1
    for (let group = next(); group.length > 0; group = next()) {
      const results = await run(group.map(({ item }) => item))
      for (const [index, { answer }] of group.entries()) {
        const none = { status: 'rejected', reason: new Error('The group gave no answer') } as const
        answer(results[index] ?? none)
      }
    }
    running -= 1
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const answer = (result: PromiseSettledResult<Answer>) => {
        if (result.status === 'fulfilled') return resolve(result.value)
        const reason: unknown = result.reason
        reject(reason instanceof Error ? reason : new Error(String(reason)))
      }
      waiting = [...waiting, { item, answer }]
      if (running < atOnce) void work()
    })
}
