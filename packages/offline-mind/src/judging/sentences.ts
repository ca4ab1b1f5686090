import type { CallOrder } from '@parley/contract'
import { spokenOr } from '../conversation/talk.ts'
import { fill } from '../hearing/text.ts'
import { inTone } from '../wording/phrasebook.ts'
import type { Spoken } from '../memory.ts'
import { PHRASEBOOKS } from '../wording/phrasebooks.ts'

/** Sentences that are always true and safe to say, in the language of the call; English where it has none. */
export type SafeSentence = 'cannotAgree' | 'private' | 'who' | 'decline' | 'optedOut' | 'notUnderstood' | 'confirm'

/** Where something was called done before the callee said so. */
const CONFIRM: Readonly<Record<Spoken, string>> = {
  en: 'Could you confirm that for me, please?',
  es: '¿Me lo puede confirmar, por favor?',
  fr: "Pourriez-vous me le confirmer, s'il vous plaît ?",
  de: 'Könnten Sie mir das bitte bestätigen?',
}

export function safeSentence(
  kind: SafeSentence,
  { onBehalfOf, tone }: Pick<CallOrder, 'onBehalfOf' | 'tone'>,
  language: string,
): string {
  const spoken = spokenOr(language, 'en')
  if (kind === 'confirm') return CONFIRM[spoken]
  const wording = PHRASEBOOKS[spoken][kind]
  return fill(inTone(wording, tone), { owner: onBehalfOf })
}
