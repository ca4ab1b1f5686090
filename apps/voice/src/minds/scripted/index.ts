import type { Asked, Mind, MindEvent } from '../port.ts'
import { conclude } from './conclude.ts'
import { reply } from './conversation.ts'

/**
 * An agent without a language model: rules, phrase lists and fixed wordings, all of it in this folder.
 * It needs no account and no network, and answers the same to the same.
 */
export function createScriptedMind(): Mind {
  return {
    name: 'scripted',
    respond: (asked, signal) => spoken(asked, signal),
    conclude: async (asked) => conclude(asked),
  }
}

async function* spoken(asked: Asked, signal: AbortSignal): AsyncGenerator<MindEvent> {
  if (signal.aborted) return
  for (const event of reply(asked)) {
    if (signal.aborted) return
    yield event
  }
}
