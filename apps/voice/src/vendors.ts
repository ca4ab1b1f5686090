import { ConfigError, readEnvironment } from '@parley/contract/environment'
import { z } from 'zod'

// The variables of ears, mouths and minds, and their contradictions.

const EARS = ['deepgram', 'openai', 'local'] as const
export type EarName = (typeof EARS)[number]
const MOUTHS = ['elevenlabs', 'cartesia', 'deepgram', 'openai', 'espeak', 'local'] as const
export type MouthName = (typeof MOUTHS)[number]
const MIND_PROVIDERS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const
type MindProvider = (typeof MIND_PROVIDERS)[number]
const REALTIME_PROVIDERS = ['openai', 'google'] as const
type RealtimeProvider = (typeof REALTIME_PROVIDERS)[number]
const REALTIME_VOICES: Readonly<Record<RealtimeProvider, string>> = { openai: 'marin', google: 'Kore' }

/** Their own names for keys and addresses, and the address without one. */
const VENDORS = {
  openai: { name: 'OpenAI', key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL', base: 'https://api.openai.com/v1' },
  anthropic: {
    name: 'Anthropic',
    key: 'ANTHROPIC_API_KEY',
    url: 'ANTHROPIC_BASE_URL',
    base: 'https://api.anthropic.com/v1',
  },
  google: {
    name: 'Google',
    key: 'GOOGLE_GENERATIVE_AI_API_KEY',
    url: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    base: 'https://generativelanguage.googleapis.com/v1beta',
  },
  deepgram: { name: 'Deepgram', key: 'DEEPGRAM_API_KEY', url: 'DEEPGRAM_BASE_URL', base: 'https://api.deepgram.com' },
  elevenlabs: {
    name: 'ElevenLabs',
    key: 'ELEVENLABS_API_KEY',
    url: 'ELEVENLABS_BASE_URL',
    base: 'https://api.elevenlabs.io',
  },
  cartesia: { name: 'Cartesia', key: 'CARTESIA_API_KEY', url: 'CARTESIA_BASE_URL', base: 'https://api.cartesia.ai' },
} as const
export type Vendor = keyof typeof VENDORS

/** The key and the address of one vendor; addresses are http or https, without a slash at their end. */
interface Access {
  readonly apiKey: string
  readonly baseUrl: string
}

/** As `wss:` where the address is https, else `ws:`. */
export function socketUrl(baseUrl: string, path: string): string {
  return baseUrl.replace(/^http/, 'ws') + path
}

interface LanguageModelSettings {
  readonly provider: MindProvider
  readonly model: string
  /** Judges outcomes and writes summaries, at the same vendor. */
  readonly observerModel: string
  /** null: the server wants none, as Ollama. */
  readonly apiKey: string | null
  readonly baseUrl: string
}

interface RealtimeSettings {
  readonly kind: 'realtime'
  readonly provider: RealtimeProvider
  readonly model: string
  readonly access: Access
  /** text: the mouth speaks; sound: the model speaks itself, with this voice. */
  readonly output: 'text' | 'sound'
  readonly voice: string
  /** Of the callee's words. */
  readonly earModel: string
}

type MindSettings =
  | { readonly kind: 'scripted' }
  /** In order of preference. */
  | { readonly kind: 'language-model'; readonly models: readonly LanguageModelSettings[] }
  | RealtimeSettings

export interface VendorSettings {
  /** In order of preference; none: that of the simulated network, which hears no real line. */
  readonly ears: readonly EarName[]
  /** In order of preference; none: espeak-ng where it is installed. */
  readonly mouths: readonly MouthName[]
  readonly mind: MindSettings
  /** Of the vendors that ears, mouths or minds use. */
  readonly access: Readonly<Partial<Record<Vendor, Access>>>
  readonly models: {
    readonly deepgramEar: string
    readonly deepgramMouth: string
    readonly openaiEar: string
    readonly openaiMouth: string
    readonly elevenlabs: string
    readonly cartesia: string
    /** Folder of the operator's models for sherpa-onnx. */
    readonly localDir: string | null
  }
  /** File with the operator's own voices. */
  readonly voicesFile: string | null
}

/** That of a vendor which ears, mouths or minds use: vendorSettings() has looked for its key. */
export function accessOf({ access }: VendorSettings, vendor: Vendor): Access {
  const found = access[vendor]
  if (!found) throw new ConfigError(`${VENDORS[vendor].key} is missing. Set it.`)
  return found
}

/** One sentence for each thing that is wrong with a list. */
function listOf<const Name extends string>(names: readonly Name[], example: string) {
  return z.string().transform((text, context): readonly Name[] => {
    const given = text.split(',').flatMap((each) => each.trim() || [])
    const known = given.flatMap((each) => names.filter((name) => name === each))
    if (known.length === given.length && new Set(known).size === known.length) return known
    context.addIssue(`must name each of ${names.join(', ')} at most once, in order of preference, such as ${example}`)
    return z.NEVER
  })
}

const Address = z.url({ protocol: /^https?$/, error: 'must be an address such as http://127.0.0.1:11434/v1' })
const Key = z.string().min(1)

const keyOf = (vendor: Vendor) =>
  Key.optional().meta({ description: `key of an account at ${VENDORS[vendor].name}`, unset: 'none' })
const urlOf = (vendor: Vendor) =>
  Address.optional().meta({
    description: `another server that speaks the wire format of ${VENDORS[vendor].name}`,
    unset: VENDORS[vendor].base,
  })

/** In zod's shape: spread into the schema of the voice service's environment. */
export const vendorVariables = {
  EAR: listOf(EARS, 'deepgram,openai').prefault('').meta({
    description:
      'what recognises speech: `deepgram`, `openai`, `local`, a list in order of preference; the next takes over when one fails',
    unset: 'real-time text of the simulated network',
  }),
  MOUTH: listOf(MOUTHS, 'elevenlabs,espeak').prefault('').meta({
    description:
      'what speaks: `elevenlabs`, `cartesia`, `deepgram`, `openai`, `espeak`, `local`, a list in order of preference',
    unset: 'espeak-ng where it is installed',
  }),
  MIND: z.enum(['scripted', 'language-model', 'realtime']).default('scripted').meta({
    description:
      'what decides what to say: `scripted` (rules, without a model), `language-model`, or `realtime` (speech to speech)',
  }),
  MIND_PROVIDER: listOf(MIND_PROVIDERS, 'openai,anthropic').prefault('').meta({
    description:
      'whose language models: `openai`, `anthropic`, `google`, `openai-compatible`, a list in order of preference; `realtime` takes one, openai or google',
    unset: 'none',
  }),
  MIND_MODEL: z
    .string()
    .default('')
    .meta({ description: 'names of the models, in the order of MIND_PROVIDER', unset: 'required with a model' }),
  MIND_OBSERVER_MODEL: z.string().default('').meta({
    description:
      'names of cheaper models, in the order of MIND_PROVIDER, for outcomes while a call runs, its conclusion and its summary',
    unset: 'MIND_MODEL',
  }),
  MIND_BASE_URL: z.string().default('').meta({
    description:
      "addresses of the models, in the order of MIND_PROVIDER, where they are not the vendor's own; required for openai-compatible",
    unset: "the vendor's",
  }),
  MIND_API_KEY: z.string().default('').meta({
    description: "keys of the models, in the order of MIND_PROVIDER, where they are not the vendor's own",
    unset: "the vendor's",
  }),
  MIND_OUTPUT: z.enum(['text', 'sound']).default('text').meta({
    description:
      'with `MIND=realtime`: `text` is spoken by MOUTH, each sentence checked before; `sound` is the voice of the model itself',
  }),
  MIND_VOICE: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'voice of the model with `MIND_OUTPUT=sound`', unset: '`marin` (openai), `Kore` (google)' }),
  MIND_EAR_MODEL: z.string().min(1).default('gpt-live-transcribe').meta({
    description: "with `MIND=realtime` and openai: the model that writes down the callee's words",
  }),
  OPENAI_API_KEY: keyOf('openai'),
  OPENAI_BASE_URL: urlOf('openai'),
  ANTHROPIC_API_KEY: keyOf('anthropic'),
  ANTHROPIC_BASE_URL: urlOf('anthropic'),
  GOOGLE_GENERATIVE_AI_API_KEY: keyOf('google'),
  GOOGLE_GENERATIVE_AI_BASE_URL: urlOf('google'),
  DEEPGRAM_API_KEY: keyOf('deepgram'),
  DEEPGRAM_BASE_URL: urlOf('deepgram'),
  ELEVENLABS_API_KEY: keyOf('elevenlabs'),
  ELEVENLABS_BASE_URL: urlOf('elevenlabs'),
  CARTESIA_API_KEY: keyOf('cartesia'),
  CARTESIA_BASE_URL: urlOf('cartesia'),
  DEEPGRAM_MODEL: z.string().min(1).default('nova-3').meta({
    description: 'model of the ear: a nova, or a flux (`flux-general-en`), which tells the end of turns itself',
  }),
  DEEPGRAM_VOICE_MODEL: z.string().min(1).default('aura-2').meta({ description: 'model of the voices of Deepgram' }),
  OPENAI_EAR_MODEL: z.string().min(1).default('gpt-live-transcribe').meta({
    description: 'model of the ear; `gpt-live-transcribe` gives words while somebody speaks',
  }),
  OPENAI_VOICE_MODEL: z
    .string()
    .min(1)
    .default('gpt-4o-mini-tts')
    .meta({ description: 'model of the voices of OpenAI' }),
  ELEVENLABS_MODEL: z.string().min(1).default('eleven_flash_v2_5').meta({ description: 'model of ElevenLabs' }),
  CARTESIA_MODEL: z.string().min(1).default('sonic-3').meta({ description: 'model of Cartesia' }),
  VOICES: z.string().min(1).optional().meta({
    description: 'JSON file with voices of your own, by vendor, voice of Settings and language (docs/mouths.md)',
    unset: "the vendors' stock voices",
  }),
  SPEECH_MODELS_DIR: z.string().min(1).optional().meta({
    description: 'folder with models for sherpa-onnx; needed with EAR=local and MOUTH=local',
    unset: 'none',
  }),
} as const

const VendorEnvironment = z.object(vendorVariables)
type VendorEnvironment = z.output<typeof VendorEnvironment>

/** As the voice service reads them. @throws ConfigError */
export function readVendors(environment: Readonly<Record<string, string | undefined>>): VendorSettings {
  return vendorSettings(readEnvironment(VendorEnvironment, environment))
}

/** @throws ConfigError with one sentence for a contradiction */
export function vendorSettings(env: VendorEnvironment): VendorSettings {
  const used = [...env.EAR, ...env.MOUTH].filter((name) => name !== 'local' && name !== 'espeak')
  const access = Object.fromEntries(used.map((vendor) => [vendor, accessTo(vendor, env, usersOf(vendor, env))]))
  const needsModels = [env.EAR.includes('local') && 'EAR=local', env.MOUTH.includes('local') && 'MOUTH=local']
  const wanting = needsModels.find((each) => each !== false)
  if (wanting !== undefined && env.SPEECH_MODELS_DIR === undefined)
    throw new ConfigError(`${wanting} needs SPEECH_MODELS_DIR, the folder with its models. Set it.`)
  return {
    ears: env.EAR,
    mouths: env.MOUTH,
    mind: mindOf(env),
    access,
    models: {
      deepgramEar: env.DEEPGRAM_MODEL,
      deepgramMouth: env.DEEPGRAM_VOICE_MODEL,
      openaiEar: env.OPENAI_EAR_MODEL,
      openaiMouth: env.OPENAI_VOICE_MODEL,
      elevenlabs: env.ELEVENLABS_MODEL,
      cartesia: env.CARTESIA_MODEL,
      localDir: env.SPEECH_MODELS_DIR ?? null,
    },
    voicesFile: env.VOICES ?? null,
  }
}

function usersOf(vendor: Vendor, { EAR, MOUTH }: VendorEnvironment): string {
  const isIn = (names: readonly string[]) => names.includes(vendor)
  return [isIn(EAR) && `EAR=${vendor}`, isIn(MOUTH) && `MOUTH=${vendor}`].filter(Boolean).join(' and ')
}

function accessTo(vendor: Vendor, env: VendorEnvironment, wantedBy: string): Access {
  const { key, url, base } = VENDORS[vendor]
  const apiKey = env[key]
  if (apiKey === undefined) throw new ConfigError(`${key} is missing, for ${wantedBy}. Set it.`)
  return { apiKey, baseUrl: addressOf(vendor, env[url] ?? base) }
}

const withoutSlash = (address: string) => address.replace(/\/+$/, '')

/** The vendors' packages differ in whether an address ends with the version: both forms are taken. */
function addressOf(vendor: Vendor, given: string): string {
  const address = withoutSlash(given)
  const version = /\/v1(?:beta)?$/.exec(VENDORS[vendor].base)?.[0]
  if (version === undefined) return address.replace(/\/v1$/, '')
  return new URL(address).pathname === '/' ? address + version : address
}

const entriesOf = (text: string) => (text === '' ? [] : text.split(',').map((each) => each.trim()))

function mindOf(env: VendorEnvironment): MindSettings {
  const { MIND: kind, MIND_PROVIDER: providers } = env
  if (kind === 'scripted') return { kind }
  if (providers.length === 0)
    throw new ConfigError(`MIND=${kind} needs MIND_PROVIDER, whose model it is, and MIND_MODEL. Set them.`)
  const models = providers.map((provider, index) => modelOf(env, provider, index))
  if (kind === 'language-model') return { kind, models }
  const [first] = models
  const provider = REALTIME_PROVIDERS.find((each) => each === first?.provider)
  if (!first || !provider || models.length > 1)
    throw new ConfigError('MIND=realtime needs one MIND_PROVIDER: openai or google.')
  if (first.apiKey === null) throw new ConfigError(`MIND=realtime needs ${VENDORS[provider].key}. Set it.`)
  const access = { apiKey: first.apiKey, baseUrl: first.baseUrl }
  const voice = env.MIND_VOICE ?? REALTIME_VOICES[provider]
  return { kind, provider, model: first.model, access, output: env.MIND_OUTPUT, voice, earModel: env.MIND_EAR_MODEL }
}

function modelOf(env: VendorEnvironment, provider: MindProvider, index: number): LanguageModelSettings {
  const { MIND_MODEL, MIND_OBSERVER_MODEL, MIND_BASE_URL, MIND_API_KEY } = env
  const lists = [MIND_MODEL, MIND_OBSERVER_MODEL, MIND_BASE_URL, MIND_API_KEY]
  const [model, observer, address, key] = lists.map((list) => {
    const given = entriesOf(list)[index]
    return given === '' ? undefined : given
  })
  if (model === undefined)
    throw new ConfigError('MIND_MODEL must name a model for each of MIND_PROVIDER, in its order. Complete it.')
  const models = { model, observerModel: observer ?? model }
  if (address !== undefined && !Address.safeParse(address).success)
    throw new ConfigError(
      'MIND_BASE_URL must hold addresses such as http://127.0.0.1:11434/v1, in the order of MIND_PROVIDER.',
    )
  if (provider === 'openai-compatible') {
    if (address === undefined)
      throw new ConfigError('MIND_PROVIDER=openai-compatible needs its address in MIND_BASE_URL. Set it.')
    return { provider, ...models, apiKey: key ?? null, baseUrl: withoutSlash(address) }
  }
  const { key: keyName, url, base } = VENDORS[provider]
  const apiKey = key ?? env[keyName]
  if (apiKey === undefined) throw new ConfigError(`MIND_PROVIDER=${provider} needs ${keyName} or MIND_API_KEY. Set it.`)
  return { provider, ...models, apiKey, baseUrl: addressOf(provider, address ?? env[url] ?? base) }
}
