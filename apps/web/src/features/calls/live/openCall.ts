import { create } from 'zustand'
import { platform } from '../../../lib/platform/index.ts'

/**
 * Which call is being watched. It is remembered, so that loading the page again, or starting the app again after the
 * system ended it, shows it again.
 */
const STORAGE_KEY = 'parley.openCall'

/** undefined: nothing was opened or closed since the start, so what is remembered counts. */
const useOpened = create<{ readonly id: string | null | undefined }>()(() => ({ id: undefined }))

export function openCall(id: string): void {
  change(id)
}

export function closeCall(): void {
  change(null)
}

/** What is over does not come back with the next page that is loaded. */
export function forgetOpenCall(): void {
  useOpened.setState({ id: openedCall() })
  remember(null)
}

export function openedCall(): string | null {
  return orRemembered(useOpened.getState().id)
}

export function useOpenCall(): string | null {
  return useOpened(({ id }) => orRemembered(id))
}

function orRemembered(id: string | null | undefined): string | null {
  return id === undefined ? remembered() : id
}

function change(id: string | null): void {
  remember(id)
  useOpened.setState({ id })
}

function remember(id: string | null): void {
  try {
    if (id === null) platform().memory().removeItem(STORAGE_KEY)
    else platform().memory().setItem(STORAGE_KEY, id)
  } catch {
    // Without storage the view closes when the page is loaded again; the bar still leads to the call.
  }
}

function remembered(): string | null {
  try {
    return platform().memory().getItem(STORAGE_KEY)
  } catch {
    return null
  }
}
