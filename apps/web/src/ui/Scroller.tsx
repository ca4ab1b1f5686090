import type { ComponentProps } from 'react'

interface ScrollerProps extends ComponentProps<'section'> {
  readonly 'aria-label': string
}

/** A scrolling region; focusable, so that it can be scrolled by keyboard. */
export function Scroller(props: ScrollerProps) {
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: scrolling must not need a pointer
  return <section tabIndex={0} {...props} />
}
