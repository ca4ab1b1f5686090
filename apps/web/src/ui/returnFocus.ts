import { useRef } from 'react'

/** Where the focus was last before anything lay over the screen. */
let beneath: HTMLElement | null = null

/**
 * Dialogs here are opened by state, without Radix's trigger, so they remember for themselves where the focus was
 * and give it back, unless something else has taken it meanwhile: the heading of another screen, say.
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: () => {
      const { activeElement } = document
      opener.current = activeElement
      if (isControl(activeElement) && !activeElement.closest('[role=dialog], [role=alertdialog]'))
        beneath = activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const isTaken = document.activeElement !== null && document.activeElement !== document.body
      // One dialog may have led to the next, and taken its button with it.
      if (!isTaken)
        [opener.current, beneath]
          .filter(isControl)
          .find(({ isConnected }) => isConnected)
          ?.focus()
    },
  }
}

function isControl(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element !== document.body
}
