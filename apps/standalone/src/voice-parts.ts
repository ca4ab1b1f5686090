import { ConfigError } from '@parley/contract/environment'
import { readVendors } from '@parley/voice/vendors'

type Vendors = ReturnType<typeof readVendors>

export interface Telephony {
  readonly isSimulated: boolean
  /** Names of the carriers, in order of preference. */
  readonly carrier: string
  readonly speed: number
  /** Whether test numbers are answered by the simulated network. */
  readonly testNumbers: boolean
}

/** What a call is made of, a line each, for the log of the start. */
export function voiceParts(
  environment: Readonly<Record<string, string | undefined>>,
  telephony: Telephony,
): readonly string[] {
  const vendors = vendorsOf(environment)
  // The voice service says what is wrong with them, and does not start.
  if (vendors === null) return [`carrier    ${carrierIn(telephony, true)}`]
  return [
    `carrier    ${carrierIn(telephony, vendors.ears.length > 0)}`,
    `ear        ${earIn(vendors, telephony)}`,
    `mouth      ${mouthIn(vendors)}`,
    `mind       ${mindIn(vendors)}`,
  ]
}

function vendorsOf(environment: Readonly<Record<string, string | undefined>>): Vendors | null {
  try {
    return readVendors(environment)
  } catch (error) {
    if (error instanceof ConfigError) return null
    throw error
  }
}

function carrierIn({ isSimulated, carrier, speed, testNumbers }: Telephony, hearsRealLines: boolean): string {
  if (isSimulated) return `simulated network${speed === 1 ? '' : `, ${speed} times as fast`}: nobody real is called`
  const deaf = hearsRealLines ? '' : ': no EAR is set, so real numbers are refused'
  const tests = testNumbers ? '; +1 202 555 01xx reach the simulated network' : ''
  return `${carrier.split(',').join(', then ')}${deaf}${tests}`
}

const inOrder = (names: readonly string[]) => names.join(', then ')

function earIn({ ears, models }: Vendors, { isSimulated }: Telephony): string {
  if (ears.length === 0) return isSimulated ? 'none: the simulated network carries the words as text' : 'none'
  const names = {
    deepgram: `Deepgram ${models.deepgramEar}`,
    openai: `OpenAI ${models.openaiEar}`,
    local: `sherpa-onnx with the models in ${models.localDir ?? ''}`,
  }
  return inOrder(ears.map((name) => names[name]))
}

function mouthIn({ mouths, models }: Vendors): string {
  if (mouths.length === 0) return 'espeak-ng where it is installed'
  const names = {
    elevenlabs: `ElevenLabs ${models.elevenlabs}`,
    cartesia: `Cartesia ${models.cartesia}`,
    deepgram: `Deepgram ${models.deepgramMouth}`,
    openai: `OpenAI ${models.openaiMouth}`,
    espeak: 'espeak-ng',
    local: `sherpa-onnx with the models in ${models.localDir ?? ''}`,
  }
  return inOrder(mouths.map((name) => names[name]))
}

function mindIn({ mind }: Vendors): string {
  switch (mind.kind) {
    case 'scripted':
      return 'scripted: an offline agent without a language model'
    case 'language-model':
      return inOrder(mind.models.map(({ provider, model }) => `${provider} ${model}`))
    case 'realtime':
      return `speech to speech by ${mind.provider} ${mind.model}`
  }
}
