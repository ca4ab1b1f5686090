import type { Asked, Mind, MindEvent, Observation } from '@parley/voice-ports'
import { conclude } from './conclusion/conclude.ts'
import { reply } from './conversation/conversation.ts'
import { spokenOr } from './conversation/talk.ts'
import { discretionFor } from './discretion.ts'
import { detectLanguage } from './hearing/language.ts'
import { isOptOut } from './hearing/opt-out.ts'
import { SPOKEN_LANGUAGES } from './memory.ts'

export { spokenOr } from './conversation/talk.ts'
export { withDigits } from './hearing/numerals.ts'
export { detectLanguage } from './hearing/language.ts'
export { discretionFor, privateValuesOf } from './discretion.ts'
export { isOptOut } from './hearing/opt-out.ts'
export { type AnswerRead, OrderReading } from './judging/order-reading.ts'
export { hasSafeDeferral, safeSentence, type SafeSentence } from './judging/sentences.ts'
export { folded } from './private/folded.ts'
export { Secrets } from './private/secrets.ts'
export { type Filled, VaultKeeper, withoutPlaceholders } from './private/vault.ts'
export { SPOKEN_LANGUAGES } from './memory.ts'
export { readMandates } from './mandate/understood.ts'

/**
 * A mind without a language model: rules, phrase lists and fixed wordings. Needs no account and no network; the same
 * question gives the same reply.
 */
export function createScriptedMind(): Mind {
  return {
    name: 'scripted',
    speaks: (language) => SPOKEN_LANGUAGES.some((each) => each === language.slice(0, 2)),
    respond: (asked, signal) => spoken(asked, signal),
    observe: (asked, signal) => observed(asked, signal),
    conclude: async (ended) => {
      const discretion = discretionFor(ended)
      return discretion.conclusion(conclude({ ...ended, order: discretion.order }))
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

/** Opt-out and language of the callee's last turn; outcomes need the whole conversation, which respond() leads. */
async function* observed({ turns, language }: Asked, signal: AbortSignal): AsyncGenerator<Observation> {
  const text = turns.findLast(({ speaker }) => speaker === 'user')?.text ?? ''
  if (signal.aborted) return
  if (isOptOut(text)) yield { type: 'opted_out', quote: text.trim() }
  const present = spokenOr(language, 'en')
  const heard = detectLanguage(text, present)
  if (heard !== present && !signal.aborted) yield { type: 'language', language: heard }
}
