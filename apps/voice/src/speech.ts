import type { Check } from '@parley/contract/checks'
import { ConfigError } from '@parley/contract/environment'
import type { Ear, Mouth } from '@parley/voice-ports'
import type { Config } from './config.ts'
import { MOUTH_ADAPTERS } from './mouths.ts'
import type { Adapters, SpeechAdapter, SpeechParts } from './speech-adapter.ts'
import { checkDeepgramEar, createDeepgramEar } from './speech/deepgram/index.ts'
import { checkLocalEar, createLocalEar } from './speech/local/index.ts'
import { checkOpenaiEar, createOpenaiEar } from './speech/openai/index.ts'
import { accessOf, type EarName } from './vendors.ts'

// Joins the ears and mouths that are configured.

export type { SpeechParts } from './speech-adapter.ts'

/** Those of this build; a vendor's package is loaded where it is used. */
const EAR_ADAPTERS: Adapters<EarName, Ear> = {
  deepgram: {
    create: ({ config }) => createDeepgramEar(deepgramEar(config)),
    check: ({ config }) => checkDeepgramEar(deepgramEar(config)),
  },
  openai: {
    create: ({ config }) => createOpenaiEar(openaiEar(config)),
    check: ({ config }) => checkOpenaiEar(openaiEar(config)),
  },
  local: {
    create: ({ config, log }) => createLocalEar({ modelsDir: modelsDir(config), log }),
    check: ({ config }) => checkLocalEar(modelsDir(config)),
  },
}

/** In order of preference; none where none is configured. */
export function earsOf(parts: SpeechParts): Promise<readonly Ear[]> {
  return Promise.all(adapters('EAR', EAR_ADAPTERS, parts.config.vendors.ears).map(async ([, one]) => one.create(parts)))
}

/** In order of preference; none where none is configured. */
export function mouthsOf(parts: SpeechParts): Promise<readonly Mouth[]> {
  const { mouths } = parts.config.vendors
  return Promise.all(adapters('MOUTH', MOUTH_ADAPTERS, mouths).map(async ([, one]) => one.create(parts)))
}

export function speechChecksOf(parts: SpeechParts): Check[] {
  const { ears, mouths } = parts.config.vendors
  return [
    ...adapters('EAR', EAR_ADAPTERS, ears).map(([name, one]) => ({ ...one.check(parts), part: `ear ${name}` })),
    ...adapters('MOUTH', MOUTH_ADAPTERS, mouths).map(([name, one]) => ({ ...one.check(parts), part: `mouth ${name}` })),
  ]
}

const deepgramEar = ({ vendors }: Config) => ({
  ...accessOf(vendors, 'deepgram'),
  model: vendors.models.deepgramEar,
})

const openaiEar = ({ vendors }: Config) => ({ ...accessOf(vendors, 'openai'), model: vendors.models.openaiEar })

/** vendorSettings() has looked for it. */
const modelsDir = ({ vendors }: Config) => vendors.models.localDir ?? ''

function adapters<Name extends string, Part>(
  variable: string,
  known: Adapters<Name, Part>,
  names: readonly Name[],
): (readonly [Name, SpeechAdapter<Part>])[] {
  return names.map((name) => {
    const adapter = known[name]
    if (adapter) return [name, adapter] as const
    throw new ConfigError(`${variable}=${name} is not available in this build. Name another.`)
  })
}
