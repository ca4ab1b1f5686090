interface Given<T> {
  readonly items: readonly T[]
  readonly groupOf: (item: T) => string
  readonly atOnce: number
  readonly work: (item: T) => Promise<void>
}

/**
 * Works on the items, so many at once: a free place goes to the group with the fewest under way, so that one whose work
 * is slow never holds the others. Within a group the order is kept.
 */
export async function inTurns<T>({ items, groupOf, atOnce, work }: Given<T>): Promise<void> {
  const groups = [...Map.groupBy(items, groupOf).values()].map((waiting) => ({
    waiting: waiting.toReversed(),
    busy: 0,
  }))
  const worker = async () => {
    for (;;) {
      const open = groups.filter(({ waiting }) => waiting.length > 0)
      const [group] = open.toSorted((a, b) => a.busy - b.busy)
      const item = group?.waiting.pop()
      if (!group || item === undefined) return
      group.busy++
      await work(item).finally(() => group.busy--)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}
