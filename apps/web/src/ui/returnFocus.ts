import { useRef } from 'react'

/**
 * Dialogs here are opened by state, without Radix's trigger, so they remember for themselves where the focus was
 * and give it back, unless something else has taken it meanwhile: the heading of another screen, say.
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const isTaken = document.activeElement !== null && document.activeElement !== document.body
      if (!isTaken && opener.current instanceof HTMLElement) opener.current.focus()
    },
  }
}
