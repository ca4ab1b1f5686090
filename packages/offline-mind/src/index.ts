import type { Asked, Mind, MindEvent } from '@parley/voice-ports'
import { conclude } from './conclusion/conclude.ts'
import { reply } from './conversation/conversation.ts'
import { discretionFor } from './discretion.ts'

export { isOptOut } from './hearing/opt-out.ts'

/**
 * A mind without a language model: rules, phrase lists and fixed wordings. Needs no account and no network; the same
 * question gives the same reply.
 */
export function createScriptedMind(): Mind {
  return {
    name: 'scripted',
    respond: (asked, signal) => spoken(asked, signal),
    conclude: async (asked) => {
      const discretion = discretionFor(asked)
      return discretion.conclusion(conclude({ ...asked, order: discretion.order }))
    },
  }
}

async function* spoken(asked: Asked, signal: AbortSignal): AsyncGenerator<MindEvent> {
  if (signal.aborted) return
  const discretion = discretionFor(asked)
  for (const event of reply({ ...asked, order: discretion.order })) {
    if (signal.aborted) return
    yield discretion.event(event)
  }
}
