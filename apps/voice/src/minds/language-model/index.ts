import type { Mind } from '@parley/voice-ports'
import type { MindParts } from './mind.ts'
import type { ModelSettings } from './models.ts'

export { checkModel } from './check.ts'
export { JUDGING, RULES } from './rules.ts'

/** The package of models is loaded where one is used. */
export async function createLanguageModelMind(settings: ModelSettings, parts: MindParts): Promise<Mind> {
  const { languageModelMind } = await import('./mind.ts')
  return languageModelMind(settings, parts)
}
