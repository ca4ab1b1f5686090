/** The product's voices as this speech maker has them: a speaker, a pitch in percent, a speed in words a minute. */
export interface VoiceShape {
  readonly variant: string
  readonly pitch: number
  readonly wordsPerMinute: number
}

const SHAPES: Readonly<Record<string, VoiceShape>> = {
  default: { variant: 'm1', pitch: 50, wordsPerMinute: 165 },
  professional: { variant: 'm3', pitch: 42, wordsPerMinute: 165 },
  friendly: { variant: 'f2', pitch: 58, wordsPerMinute: 172 },
  authoritative: { variant: 'm7', pitch: 30, wordsPerMinute: 155 },
  warm: { variant: 'f3', pitch: 45, wordsPerMinute: 160 },
}

const DEFAULT_SHAPE: VoiceShape = { variant: 'm1', pitch: 50, wordsPerMinute: 165 }

export function voiceShape(voiceId: string): VoiceShape {
  return SHAPES[voiceId] ?? DEFAULT_SHAPE
}

/** Where the maker's name of a language is not its BCP 47 one. */
const ESPEAK_NAMES: Readonly<Record<string, string>> = {
  en: 'en-us',
  fr: 'fr-fr',
  zh: 'cmn',
  no: 'nb',
  'es-mx': 'es-419',
  'zh-hk': 'yue',
}
const ESPEAK_REGIONS = new Set(['en-us', 'en-gb', 'pt-br', 'fr-be', 'fr-ch', 'es-419'])

export function espeakLanguage(language: string): string {
  const tag = language.toLowerCase()
  const primary = tag.split('-')[0] ?? 'en'
  return ESPEAK_NAMES[tag] ?? (ESPEAK_REGIONS.has(tag) ? tag : (ESPEAK_NAMES[primary] ?? primary))
}
