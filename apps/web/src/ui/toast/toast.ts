import type { ReactNode } from 'react'
import { create } from 'zustand'

interface ToastAction {
  readonly label: string
  readonly onAct: () => void
}

export interface ToastContent {
  readonly title: ReactNode
  readonly description?: string
  readonly tone?: 'neutral' | 'success' | 'error'
  /** Something that can be done about it, while it is shown. */
  readonly action?: ToastAction
  /** And something else. */
  readonly otherAction?: ToastAction
  /** It has a clock of its own and is shown until it is dismissed; other toasts wait so long. */
  readonly stay?: {
    /** Somebody points at it or has the focus in it; or no more. */
    readonly onLinger: (isLingering: boolean) => void
    /** Closed by hand, also after one of its actions. */
    readonly onClose: () => void
  }
}

export interface ShownToast extends ToastContent {
  readonly id: number
}

interface Toasts {
  readonly shown: ShownToast | undefined
  /** The latest that came while one stayed. */
  readonly next: ShownToast | undefined
}

const useToasts = create<Toasts>()(() => ({ shown: undefined, next: undefined }))
let nextId = 1

function show(shown: ShownToast | undefined): void {
  useToasts.setState({ shown, next: undefined })
}

/** Says something at the edge of the screen. There is one toast at a time: a new one takes the old one's place. */
export function toast(content: ToastContent): number {
  const id = nextId++
  if (shownToast()?.stay && !content.stay) useToasts.setState({ next: { ...content, id } })
  else show({ ...content, id })
  return id
}

export function dismissToast(id: number): void {
  const { shown, next } = useToasts.getState()
  if (shown?.id === id) show(next)
}

export function shownToast(): ShownToast | undefined {
  return useToasts.getState().shown
}

export function useShownToast(): ShownToast | undefined {
  return useToasts(({ shown }) => shown)
}
