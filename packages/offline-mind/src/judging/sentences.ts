import type { CallOrder } from '@parley/contract'
import { spokenOr } from '../conversation/talk.ts'
import { fill } from '../hearing/text.ts'
import { folded } from '../private/folded.ts'
import { inTone } from '../wording/phrasebook.ts'
import type { Spoken } from '../memory.ts'
import { PHRASEBOOKS } from '../wording/phrasebooks.ts'
import { SAFE_WORDINGS, type SafeWording } from './safe-wordings.ts'

/** Sentences that are always true and safe to say, in the language of the call; English where it has none. */
export type SafeSentence = keyof SafeWording

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
  const tag = language.toLowerCase()
  const own = tag === 'pt-br' ? SAFE_WORDINGS['pt-BR'] : SAFE_WORDINGS[tag.split('-')[0] ?? '']
  const spoken = spokenOr(language, 'en')
  const wording = own?.[kind] ?? (kind === 'confirm' ? CONFIRM[spoken] : inTone(PHRASEBOOKS[spoken][kind], tone))
  return fill(wording, { owner: onBehalfOf })
}

const DEFERRALS = Object.values(SAFE_WORDINGS).map(({ cannotAgree }) => folded(cannotAgree))

/** Whether a text has the sentence that leaves an offer to the user, in a language that has no phrasebook. */
export function hasSafeDeferral(text: string): boolean {
  const plain = folded(text)
  return DEFERRALS.some((sentence) => plain.includes(sentence))
}
