// What the screens offer to choose from and the numbers they keep to, as it was specified: written down again, so that a change of the
// contract does not change the test.

export const CALL_LANGUAGES = [
  'Auto-detect from phone prefix',
  'English',
  'Arabic',
  'Chinese',
  'French',
  'German',
  'Greek',
  'Hindi',
  'Italian',
  'Japanese',
  'Portuguese',
  'Portuguese (Brazil)',
  'Spanish',
]

/** How many calls a page of the history has, and how often a read is tried again. */
export const PAGE_OF_CALLS = 50
export const READ_RETRIES = 2

export const TOASTS = { limit: 1, durationMs: 5000, swipeThresholdPx: 50, hotkey: 'F8' } as const

export const TOOLTIPS = { delayMs: 700, skipDelayMs: 300 } as const
