import type { ComponentProps } from 'react'

interface ScrollerProps extends ComponentProps<'section'> {
  readonly 'aria-label': string
}

/** A part of the screen that scrolls for itself; it takes the focus, so that a keyboard can scroll it. */
export function Scroller(props: ScrollerProps) {
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: scrolling must not need a pointer
  return <section tabIndex={0} {...props} />
}
