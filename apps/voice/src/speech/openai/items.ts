interface Item {
  text: string
  isDone: boolean
  /** Words that were given as final before the vendor was done. */
  spent: number
}

interface Commit {
  itemId: string | null
}

export interface ItemsHooks {
  readonly onWords: (text: string, final: boolean) => void
  /** The first open commit is over. */
  readonly onSettled: () => void
}

const ITEMS_MAX = 100
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '')

/** The transcripts of committed sound in the order of the sound; the vendor completes them in any order. */
export class Items {
  readonly #hooks: ItemsHooks
  readonly #items = new Map<string, Item>()
  /** Not settled yet, the oldest first. */
  #commits: Commit[] = []
  /** Committed items that wait for the one before them. */
  readonly #behind = new Map<string, string>()
  #lastCommitted: string | null = null
  #told = ''

  constructor(hooks: ItemsHooks) {
    this.#hooks = hooks
  }

  get isOwed(): boolean {
    return this.#commits.length > 0
  }

  /** Words that are not final yet. */
  get isOpen(): boolean {
    return [...this.#items.values()].some(({ text, spent }) => wordsOf(text).length > spent)
  }

  commit(): void {
    this.#commits.push({ itemId: null })
  }

  committed(itemId: string, previous: string | null | undefined): void {
    // The first one of a session has none, or one that was not ours.
    const isNext = previous === null || previous === undefined || previous === this.#lastCommitted
    if (!isNext && this.#lastCommitted !== null) return void this.#behind.set(previous, itemId)
    const commit = this.#commits.find((each) => each.itemId === null)
    this.#lastCommitted = itemId
    if (commit) commit.itemId = itemId
    this.#itemOf(itemId)
    const next = this.#behind.get(itemId)
    this.#behind.delete(itemId)
    if (next !== undefined) this.committed(next, itemId)
    this.#settleDone()
  }

  delta(itemId: string, delta: string): void {
    const item = this.#itemOf(itemId)
    if (item.isDone) return
    item.text += delta
    this.#tellPartial()
  }

  completed(itemId: string, transcript: string): void {
    const item = this.#itemOf(itemId)
    item.text = transcript
    item.isDone = true
    if (!this.#isExpected(itemId)) return this.#late(itemId, item)
    this.#settleDone()
  }

  /** The first open commit was empty, or its sound tells no words. */
  nothing(): void {
    const commit = this.#commits.shift()
    if (commit) this.#hooks.onSettled()
    this.#settleDone()
  }

  /** The first open commit is not waited for any more: what is known of it is final. */
  giveUp(): void {
    const commit = this.#commits.shift()
    if (!commit) return
    const item = commit.itemId === null ? this.#current : this.#items.get(commit.itemId)
    if (item) this.#tellFinal(item)
    this.#hooks.onSettled()
    this.#settleDone()
  }

  /** Whether a completed item will be settled in its turn; a later one than that was given up. */
  #isExpected(itemId: string): boolean {
    return this.#commits.some((commit) => commit.itemId === itemId || commit.itemId === null)
  }

  /** The item of sound that was not committed yet, or whose commit was not answered. */
  get #current(): Item | undefined {
    const known = new Set(this.#commits.map(({ itemId }) => itemId))
    return [...this.#items].find(([itemId, { isDone }]) => !known.has(itemId) && !isDone)?.[1]
  }

  #late(itemId: string, item: Item): void {
    this.#tellFinal(item)
    this.#items.delete(itemId)
  }

  #settleDone(): void {
    for (let first = this.#commits[0]; first?.itemId; first = this.#commits[0]) {
      const item = this.#items.get(first.itemId)
      if (item?.isDone !== true) return this.#tellPartial()
      this.#tellFinal(item)
      this.#items.delete(first.itemId)
      this.#commits.shift()
      this.#hooks.onSettled()
    }
    return this.#tellPartial()
  }

  /** Of the oldest item that is not final: later ones wait for it. */
  #tellPartial(): void {
    const first = this.#commits[0]
    const item = first?.itemId ? this.#items.get(first.itemId) : this.#current
    const text = item ? restOf(item) : ''
    if (text === '' || text === this.#told) return
    this.#told = text
    this.#hooks.onWords(text, false)
  }

  #tellFinal(item: Item): void {
    const text = restOf(item)
    item.spent = wordsOf(item.text).length
    this.#told = ''
    if (text !== '') this.#hooks.onWords(text, true)
  }

  #itemOf(itemId: string): Item {
    const item = this.#items.get(itemId) ?? { text: '', isDone: false, spent: 0 }
    this.#items.set(itemId, item)
    const [oldest] = this.#items.keys()
    if (this.#items.size > ITEMS_MAX && oldest !== undefined) this.#items.delete(oldest)
    return item
  }
}

function restOf({ text, spent }: Item): string {
  return spent === 0 ? text.trim() : wordsOf(text).slice(spent).join(' ')
}
