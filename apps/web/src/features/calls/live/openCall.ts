import { create } from 'zustand'

/** Which call is being watched. It is remembered in the tab, so that loading the page again shows it again. */
const STORAGE_KEY = 'parley.openCall'

const useOpened = create<{ readonly id: string | null }>()(() => ({ id: remembered() }))

export function openCall(id: string): void {
  change(id)
}

export function closeCall(): void {
  change(null)
}

/** What is over does not come back with the next page that is loaded. */
export function forgetOpenCall(): void {
  remember(null)
}

export function openedCall(): string | null {
  return useOpened.getState().id
}

export function useOpenCall(): string | null {
  return useOpened(({ id }) => id)
}

function change(id: string | null): void {
  remember(id)
  useOpened.setState({ id })
}

function remember(id: string | null): void {
  try {
    if (id === null) sessionStorage.removeItem(STORAGE_KEY)
    else sessionStorage.setItem(STORAGE_KEY, id)
  } catch {
    // Without storage the view closes when the page is loaded again; the bar still leads to the call.
  }
}

function remembered(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_KEY)
  } catch {
    return null
  }
}
