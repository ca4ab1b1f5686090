import { useRef } from 'react'

/** The last focused element before any dialog opened. */
let beneath: HTMLElement | null = null

/**
 * Dialogs are opened by state, without Radix's trigger, so they store the focus and restore it, unless something
 * else, such as a new screen's heading, has taken it.
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
      // A dialog may open another one and unmount its own button.
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
