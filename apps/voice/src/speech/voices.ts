import { readFileSync } from 'node:fs'
import { ConfigError } from '@parley/contract/environment'
import { VOICES } from '@parley/contract'
import type { VoiceOptions } from '@parley/voice-ports'
import { z } from 'zod'

/** By voice id of Settings, then by language; `any` serves the other languages. */
type VoiceTable = Readonly<Record<VoiceId, Readonly<Record<string, string>>>>
type VoiceId = (typeof VOICES)[number]
type VoicedVendor = 'elevenlabs' | 'cartesia' | 'deepgram' | 'openai'
export type VoiceTables = Readonly<Record<VoicedVendor, VoiceTable>>

/** The vendors' stock voices. Those of multilingual models speak every language; VOICES names others. */
const STOCK: VoiceTables = {
  // Matilda, Eric, Jessica, Daniel, Sarah.
  elevenlabs: {
    default: { any: 'XrExE9yKIg1WjnnlVkGX' },
    professional: { any: 'cjVigY5qzO86Huf0OWal' },
    friendly: { any: 'cgSgspJ2msm6clMCkdW9' },
    authoritative: { any: 'onwK4e9ZLuTAKqWW03F9' },
    warm: { any: 'EXAVITQu4vr4xnSDxMaL' },
  },
  // Katie, Jameson, Jacqueline, Newsman, Reading Lady.
  cartesia: {
    default: { any: 'f786b574-daa5-4673-aa0c-cbe3e8534c02' },
    professional: { any: 'a5136bf9-224c-4d76-b823-52bd5efcffcc' },
    friendly: {
      any: '9626c31c-bec5-4cca-baa8-f8ba9e84c8bc',
      de: '3f4ade23-6eb4-4279-ab05-6a144947c4d5',
      fr: 'a249eaff-1e96-4d2c-b23b-12efa4f66f41',
      ja: '2b568345-1d48-4047-b25f-7baccf842eb0',
    },
    authoritative: { any: 'd46abd1d-2d02-43e8-819f-51fb652c1c61' },
    warm: { any: '15a9cd88-84b0-4a8b-95f2-5d583b54c72e', fr: '8832a0b5-47b2-4751-bb22-6a8e2149303d' },
  },
  // Parts of the names of models, as in aura-2-thalia-en: each speaks one language.
  deepgram: {
    default: { en: 'thalia', es: 'celeste', de: 'viktoria', fr: 'agathe', it: 'livia', ja: 'izanami' },
    professional: { en: 'apollo', es: 'nestor', de: 'julius', fr: 'hector', it: 'dionisio', ja: 'fujin' },
    friendly: { en: 'helena', es: 'estrella', de: 'lara', fr: 'agathe', it: 'melia', ja: 'ama' },
    authoritative: { en: 'zeus', es: 'alvaro', de: 'fabian', fr: 'hector', it: 'cesare', ja: 'ebisu' },
    warm: { en: 'vesta', es: 'diana', de: 'aurelia', fr: 'agathe', it: 'cinzia', ja: 'uzume' },
  },
  openai: {
    default: { any: 'alloy' },
    professional: { any: 'ash' },
    friendly: { any: 'coral' },
    authoritative: { any: 'onyx' },
    warm: { any: 'sage' },
  },
}

/** undefined: the vendor has no voice for this language. */
export function vendorVoice(table: VoiceTable, { language, voiceId }: VoiceOptions): string | undefined {
  const voices = table[VOICES.find((known) => known === voiceId) ?? 'default']
  return voices[language] ?? voices[baseOf(language)] ?? voices['any']
}

export const baseOf = (language: string): string => language.split('-')[0]?.toLowerCase() ?? 'en'

const Names = z.record(z.string().regex(/^[a-z]{2}(?:-[A-Z]{2})?$|^any$/), z.string().min(1).max(100))
const OwnVoices = z.partialRecord(
  z.enum(['elevenlabs', 'cartesia', 'deepgram', 'openai']),
  z.partialRecord(z.enum(VOICES), Names),
)

/** @throws ConfigError */
export function voicesOf(file: string | null): VoiceTables {
  if (file === null) return STOCK
  let json: string
  try {
    json = readFileSync(file, 'utf8')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`VOICES cannot be read: ${why}. Name a JSON file, or remove it.`)
  }
  return voiceTables(json)
}

/**
 * The stock voices with the operator's own: `{"elevenlabs": {"warm": {"any": "…", "de": "…"}}}`.
 * @throws ConfigError
 */
export function voiceTables(json: string | null): VoiceTables {
  if (json === null) return STOCK
  const own = OwnVoices.safeParse(parsed(json))
  if (!own.success)
    throw new ConfigError(
      'VOICES must be a JSON file such as {"elevenlabs":{"warm":{"any":"<voice id>","de":"<voice id>"}}}, with the voices ' +
        `${VOICES.join(', ')}. Correct it.`,
    )
  const table = (vendor: VoicedVendor): VoiceTable => {
    const stock = STOCK[vendor]
    const named = own.data[vendor] ?? {}
    const of = (voiceId: VoiceId) => {
      // One for any language stands before the stock voices of single languages.
      const mine = named[voiceId] ?? {}
      return 'any' in mine ? mine : { ...stock[voiceId], ...mine }
    }
    return {
      default: of('default'),
      professional: of('professional'),
      friendly: of('friendly'),
      authoritative: of('authoritative'),
      warm: of('warm'),
    }
  }
  return {
    elevenlabs: table('elevenlabs'),
    cartesia: table('cartesia'),
    deepgram: table('deepgram'),
    openai: table('openai'),
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
