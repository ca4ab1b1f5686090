export interface ToastContent {
  readonly title: string
  readonly description?: string
  readonly tone?: 'neutral' | 'success' | 'error'
  /** Something that can be done about it, while it is shown. */
  readonly action?: { readonly label: string; readonly onAct: () => void }
}

export interface ShownToast extends ToastContent {
  readonly id: number
}

type Watcher = () => void

let shown: ShownToast | undefined
let isInUse = false
let nextId = 1
const watchers = new Set<Watcher>()

function show(next: ShownToast | undefined): void {
  shown = next
  isInUse = true
  for (const watcher of watchers) watcher()
}

/** Says something at the edge of the screen. There is one toast at a time: a new one takes the old one's place. */
export function toast(content: ToastContent): void {
  show({ ...content, id: nextId++ })
}

export function dismissToast(id: number): void {
  if (shown?.id === id) show(undefined)
}

export function shownToast(): ShownToast | undefined {
  return shown
}

/** True from the first toast on. */
export function toastsInUse(): boolean {
  return isInUse
}

export function watchToasts(watcher: Watcher): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
