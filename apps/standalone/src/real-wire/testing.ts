import { synthesize } from '@parley/sandbox'
import {
  type DeepgramFarEnd,
  type ModelAnswer,
  type ModelFarEnd,
  type ModelRequest,
  type MouthFarEnd,
  type Pickup,
  startDeepgramFarEnd,
  startElevenLabsFarEnd,
  startModelFarEnd,
  startTwilioFarEnd,
  type TwilioFarEnd,
} from '@parley/sandbox/testing'
import { FRAME_BYTES, FRAME_MS, levelDbm0, voiceShape } from '@parley/voice-ports'
import { freePort, type Running, runParley } from '../world.ts'

// A whole Parley whose every vendor is another server on loopback, in the vendor's own wire format.

export interface RealWire {
  readonly parley: Running
  readonly environment: Record<string, string>
  readonly carrier: TwilioFarEnd
  readonly ear: DeepgramFarEnd
  readonly mind: ModelFarEnd
  readonly mouth: MouthFarEnd
  dispose(): Promise<void>
}

type Party = ReturnType<Extract<Pickup, { type: 'answers' }>['party']>

const QUIET_MS = 800
const SPEECH_DBM0 = -45

interface Talker {
  readonly ear: DeepgramFarEnd
  readonly onSpoken: RealWireOptions['onSpoken']
  /** Whether the caller's question has sounded, where so much of their speech was heard. */
  readonly isAsked: (spokenMs: number) => boolean
}

/** Says each line when the caller has asked, spoken and paused; the ear will recognise its words. */
function talker(lines: readonly string[], { ear, onSpoken, isAsked }: Talker): Party {
  const waiting = [...lines]
  let line = ''
  let spokenMs = 0
  let playing: Uint8Array = new Uint8Array(0)
  let heardSpeech = false
  let heardMs = 0
  let quietMs = 0
  return {
    press: () => undefined,
    tick(_, heard) {
      const isLoud = heard !== null && levelDbm0(heard.audio) > SPEECH_DBM0
      quietMs = isLoud ? 0 : quietMs + FRAME_MS
      if (isLoud) heardMs += FRAME_MS
      heardSpeech ||= isLoud && isAsked(heardMs)
      const next = heardSpeech && quietMs >= QUIET_MS && playing.length === 0 ? waiting.shift() : undefined
      if (next !== undefined) {
        const { audio, words } = synthesize(next, voiceShape('professional'))
        ear.script.say({ text: next, words: wordsOf(next, words) })
        playing = audio.subarray(0, audio.length - (audio.length % FRAME_BYTES))
        heardSpeech = false
        line = next
        spokenMs = 0
      }
      if (playing.length > 0) onSpoken?.(line, (spokenMs += FRAME_MS))
      const frame = playing.length > 0 ? { audio: playing.subarray(0, FRAME_BYTES) } : null
      playing = playing.subarray(FRAME_BYTES)
      return { frame, digits: '', ends: null }
    },
  }
}

/** A question counts as heard when this share of the speech up to its end was: frames at its edges may be lost. */
const HEARD_SHARE = 0.95

/** The speech of the caller up to the end of the question, in ms; Infinity before the mouth was asked for all of it. */
function untilAsked({ texts }: MouthFarEnd, from: number, question: string): number {
  let said = ''
  let ms = 0
  for (const { text } of texts.slice(from)) {
    said = `${said} ${text.trim()}`
    ms += loudMsOf(text)
    if (said.includes(question)) return ms
  }
  return Infinity
}

/** The same sentence sounds the same. */
const loudMs = new Map<string, number>()
function loudMsOf(text: string): number {
  const known = loudMs.get(text)
  if (known !== undefined) return known
  const { audio } = synthesize(text, voiceShape('default'))
  let ms = 0
  for (let at = 0; at < audio.length; at += FRAME_BYTES)
    if (levelDbm0(audio.subarray(at, at + FRAME_BYTES)) > SPEECH_DBM0) ms += FRAME_MS
  loudMs.set(text, ms)
  return ms
}

function wordsOf(text: string, words: ReturnType<typeof synthesize>['words']) {
  return words.map(({ fromChar, toChar, endMs }) => ({ text: text.slice(fromChar, toChar).trim(), endMs }))
}

export interface RealWireOptions {
  readonly answer: (request: ModelRequest) => ModelAnswer | undefined
  /** What the phone of a number says, a line after each of the caller's. */
  readonly lines: (to: string) => readonly string[]
  /**
   * What the callee has to hear before they answer: a pause before it, or a stall of the caller's sound, is no turn of
   * the callee's. null: any speech will do.
   */
  readonly question: string | null
  /** So much of a line was said. */
  readonly onSpoken?: (line: string, spokenMs: number) => void
  readonly environment?: Record<string, string>
  /** By default one of its own. */
  readonly ear?: DeepgramFarEnd
}

export async function startRealWire(options: RealWireOptions): Promise<RealWire> {
  const { answer, lines, question, onSpoken, environment: more } = options
  const ear = options.ear ?? (await startDeepgramFarEnd())
  const mind = await startModelFarEnd({ answer, models: ['llama3.2'] })
  const mouth = await startElevenLabsFarEnd()
  /** `from`: the mouth's texts before this call, whose disclosure is made while it rings. */
  const party = (to: string, from: number) => {
    const isAsked = (spokenMs: number) =>
      question === null || spokenMs >= HEARD_SHARE * untilAsked(mouth, from, question)
    return talker(lines(to), { ear, onSpoken, isAsked })
  }
  const carrier = await startTwilioFarEnd({
    answering(to) {
      const from = mouth.texts.length
      return { type: 'answers', afterMs: 60, party: () => party(to, from) }
    },
  })
  const voicePort = await freePort()
  const environment = {
    VOICE_PORT: String(voicePort),
    PUBLIC_VOICE_URL: `http://127.0.0.1:${voicePort}`,
    CALLING_HOURS: 'off',
    CARRIER: 'twilio',
    CARRIER_LIMITS: 'twilio=10',
    TWILIO_API_BASE: carrier.url,
    TWILIO_ACCOUNT_SID: carrier.accountSid,
    TWILIO_AUTH_TOKEN: carrier.authToken,
    TWILIO_FROM_NUMBER: carrier.number,
    EAR: 'deepgram',
    DEEPGRAM_API_KEY: ear.apiKey,
    DEEPGRAM_BASE_URL: ear.url,
    MIND: 'language-model',
    MIND_PROVIDER: 'openai-compatible',
    MIND_MODEL: 'llama3.2',
    MIND_BASE_URL: mind.baseUrl.openai,
    MIND_API_KEY: mind.apiKey ?? '',
    MOUTH: 'elevenlabs',
    ELEVENLABS_API_KEY: mouth.apiKey,
    ELEVENLABS_BASE_URL: mouth.url,
    ...more,
  }
  const parley = await runParley(environment)
  return {
    parley,
    environment,
    carrier,
    ear,
    mind,
    mouth,
    async dispose() {
      await parley.dispose()
      await Promise.allSettled([carrier.close(), ear.close(), mouth.close()])
      // It says where a request fitted no case.
      await mind.close()
    },
  }
}
