import {
  type Clock,
  createResampler,
  encodeMulaw,
  type Mouth,
  type MouthOptions,
  SAMPLE_RATE_HZ,
  type Speaking,
  type SpokenChunk,
} from '@parley/voice-ports'
import { Channel } from '../channel.ts'
import { failureOf, failureOfStatus, SpeechFailure } from '../failure.ts'
import { isSayable } from '../sayable.ts'
import { vendorVoice, type VoiceTables } from '../voices.ts'

export interface OpenAiMouthOptions {
  readonly apiKey: string
  /** With the version, without a slash at its end. */
  readonly baseUrl: string
  readonly model: string
  readonly voices: VoiceTables['openai']
  readonly clock: Clock
}

/** Of its `pcm`: 16 bits, little-endian, mono. */
const PCM_RATE_HZ = 24_000
const FIRST_SOUND_MS = 2500
const NEXT_SOUND_MS = 2000
const ERROR_MAX_CHARS = 500

/** Speaks by OpenAI: a request for each text, over connections that are kept, without times of words. */
export function createOpenAiMouth(options: OpenAiMouthOptions): Mouth {
  return { name: 'OpenAI', wordTimes: false, open: (opened) => open(options, opened) }
}

function open(options: OpenAiMouthOptions, { language, voiceId, onSpoken }: MouthOptions): Speaking {
  const closed = new AbortController()
  let spoken = language
  warm(options, closed.signal)
  return {
    async *speak(text, { signal }) {
      const ended = AbortSignal.any([signal, closed.signal])
      if (ended.aborted || !isSayable(text)) return
      const voice = vendorVoice(options.voices, { language: spoken, voiceId })
      onSpoken?.({ mouth: 'OpenAI', characters: text.length })
      yield* said(options, { text, voice: voice ?? 'alloy' }, ended)
    },
    setLanguage: (changed) => void (spoken = changed),
    close: () => closed.abort(),
  }
}

/** Opens a connection while it rings; fetch keeps it for the first text. */
function warm({ apiKey, baseUrl }: OpenAiMouthOptions, signal: AbortSignal): void {
  fetch(`${baseUrl}/models`, { method: 'HEAD', headers: { authorization: `Bearer ${apiKey}` }, signal }).then(
    (answer) => answer.body?.cancel(),
    // The first text fails for the same reason, and says so.
    () => undefined,
  )
}

async function* said(
  options: OpenAiMouthOptions,
  asked: { readonly text: string; readonly voice: string },
  signal: AbortSignal,
): AsyncGenerator<SpokenChunk> {
  const chunks = new Channel<SpokenChunk>()
  const abort = new AbortController()
  const watch = watchOf(options.clock, (withinMs) => {
    chunks.end(new SpeechFailure('late', `No sound came within ${withinMs / 1000} s.`))
    abort.abort()
  })
  const leave = () => abort.abort()
  signal.addEventListener('abort', leave, { once: true })
  watch.expect(FIRST_SOUND_MS)
  request(options, asked, abort.signal, (chunk) => {
    watch.expect(NEXT_SOUND_MS)
    chunks.push(chunk)
  }).then(
    () => chunks.end(),
    (error: unknown) => chunks.end(failureOf(error)),
  )
  try {
    yield* chunks.read(signal)
  } finally {
    watch.stop()
    signal.removeEventListener('abort', leave)
    abort.abort()
  }
}

function watchOf(clock: Clock, onLate: (withinMs: number) => void) {
  let stop: (() => void) | null = null
  return {
    expect(withinMs: number): void {
      stop?.()
      stop = clock.after(withinMs, () => onLate(withinMs))
    },
    stop: () => stop?.(),
  }
}

async function request(
  { apiKey, baseUrl, model }: OpenAiMouthOptions,
  { text, voice }: { readonly text: string; readonly voice: string },
  signal: AbortSignal,
  onChunk: (chunk: SpokenChunk) => void,
): Promise<void> {
  const answer = await fetch(`${baseUrl}/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, voice, input: text, response_format: 'pcm', stream_format: 'audio' }),
    redirect: 'error',
    signal,
  })
  if (!answer.ok) throw failureOfStatus(answer.status, (await answer.text()).slice(0, ERROR_MAX_CHARS))
  // An error page of something between us and the vendor must not be played.
  const type = answer.headers.get('content-type') ?? ''
  if (/json|text|html/.test(type)) throw new SpeechFailure('broken', `It answered with ${type} instead of sound.`)
  const telephone = telephoneBand()
  const body: AsyncIterable<Uint8Array> | null = answer.body
  for await (const bytes of body ?? []) {
    const audio = telephone.push(bytes)
    if (audio.length > 0) onChunk({ audio })
  }
  const rest = telephone.flush()
  if (rest.length > 0) onChunk({ audio: rest })
}

/** PCM in pieces of any length, as mu-law of 8 kHz. */
function telephoneBand() {
  const resampler = createResampler(PCM_RATE_HZ, SAMPLE_RATE_HZ)
  /** The first half of a sample whose other half has not come. */
  let half: number | null = null
  return {
    push(bytes: Uint8Array): Uint8Array {
      const all = half === null ? Buffer.from(bytes) : Buffer.concat([Buffer.from([half]), bytes])
      half = all.length % 2 === 1 ? (all.at(-1) ?? null) : null
      const samples = Int16Array.from({ length: all.length >> 1 }, (_, at) => all.readInt16LE(at * 2))
      return encodeMulaw(resampler.push(samples))
    },
    flush: () => encodeMulaw(resampler.flush()),
  }
}
