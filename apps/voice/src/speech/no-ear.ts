import type { Ear } from '@parley/voice-ports'

/** Hears nothing. Stands where no ear is configured: the service starts, and takes no call on a real line. */
export const noEar: Ear = {
  name: 'none',
  settlesWithinMs: 0,
  turns: false,
  listen(_options, clock, onEvent) {
    const cancel = clock.after(0, () => onEvent({ type: 'ready' }))
    return {
      push: () => undefined,
      finalize: () => onEvent({ type: 'settled' }),
      setLanguage: () => undefined,
      close: cancel,
    }
  },
}
