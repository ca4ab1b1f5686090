import { spawn } from 'node:child_process'
import { setImmediate } from 'node:timers/promises'
import {
  createResampler,
  decodeWav,
  encodeMulaw,
  peakOfDbm0,
  SAMPLE_RATE_HZ,
  type Span,
  type VoiceShape,
  wordEndsBetween,
  wordsOf,
} from '@parley/voice-ports'

const PLACES = ['espeak-ng', '/usr/bin/espeak-ng', '/usr/local/bin/espeak-ng', '/opt/homebrew/bin/espeak-ng']
const DEADLINE_MS = 5000
/** Two minutes of its sound; a sentence has seconds. */
const OUTPUT_BYTES_MAX = 6_000_000
/** The level of a voice on a telephone line. */
const SPEECH_DBM0 = -18
/** A consonant's silence is shorter, a comma's longer. */
const PAUSE_MS = 100
/** Samples below this (of 32 768) are silence. */
const QUIET = 300

/** The path of espeak-ng, or null when it is not installed. */
export async function findEspeak(): Promise<string | null> {
  for (const place of PLACES) {
    const said = await run(place, ['--version'], '').catch(() => null)
    if (said && Buffer.from(said).toString('latin1').includes('eSpeak NG')) return place
  }
  return null
}

/** One sentence, spoken. Rejects when the program fails or is late. */
export async function espeak(binary: string, text: string, language: string, shape: VoiceShape) {
  const voice = `${espeakLanguage(language)}+${shape.variant}`
  const args = [
    '--stdin',
    '--stdout',
    '-b',
    '1',
    '-z',
    '-v',
    voice,
    '-p',
    `${shape.pitch}`,
    '-s',
    `${shape.wordsPerMinute}`,
  ]
  const file = await run(binary, args, written(text))
  const { channels, sampleRateHz } = decodeWav(file)
  const spoken = levelled(await telephoneBand(trimmed(channels[0] ?? new Int16Array(0)), sampleRateHz))
  if (spoken.length === 0) throw new Error('espeak-ng made no sound')
  const totalMs = (spoken.length * 1000) / SAMPLE_RATE_HZ
  return { audio: encodeMulaw(spoken), words: wordEndsBetween(wordsOf(text), totalMs, pausesIn(spoken)) }
}

/** espeak-ng reads [[...]] as phonemes: escapes those of the text, and uses one for "mhm", which it would spell out. */
function written(text: string): string {
  return text.replaceAll('[[', '[ [').replaceAll(/\bmhm\b/gi, "[[m'hm]]")
}

function run(binary: string, args: readonly string[], input: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: DEADLINE_MS,
      killSignal: 'SIGKILL',
    })
    // Attached first: without free file descriptors there are no pipes, only this event.
    child.on('error', reject)
    const chunks: Uint8Array[] = []
    let bytes = 0
    child.stdout.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length
      if (bytes > OUTPUT_BYTES_MAX) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks))
      else reject(new Error(`espeak-ng ended with ${code ?? 'a signal'}`))
    })
    // An early exit is reported by 'close', not by a broken pipe.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

function trimmed(samples: Int16Array): Int16Array {
  const from = samples.findIndex((sample) => Math.abs(sample) > QUIET)
  const to = samples.findLastIndex((sample) => Math.abs(sample) > QUIET)
  return from < 0 ? samples.subarray(0, 0) : samples.subarray(from, to + 1)
}

/** Stretches of quiet too long for a consonant. */
function pausesIn(samples: Float64Array): Span[] {
  const pauses: Span[] = []
  let startedAt = 0
  for (let at = 0; at < samples.length; at++) {
    if (Math.abs(samples[at] ?? 0) <= QUIET) continue
    const span = { startMs: (startedAt * 1000) / SAMPLE_RATE_HZ, endMs: (at * 1000) / SAMPLE_RATE_HZ }
    if (span.endMs - span.startMs >= PAUSE_MS) pauses.push(span)
    startedAt = at
  }
  return pauses
}

/** Resampling 1 s takes about 2 ms; yields in between so that calls keep their 20 ms beat. */
async function telephoneBand(samples: Int16Array, rateHz: number): Promise<Int16Array> {
  const resampler = createResampler(rateHz, SAMPLE_RATE_HZ)
  const chunks: Int16Array[] = []
  for (let at = 0; at < samples.length; at += rateHz) {
    chunks.push(resampler.push(samples.subarray(at, at + rateHz)))
    await setImmediate()
  }
  chunks.push(resampler.flush())
  const all = new Int16Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  chunks.reduce((at, chunk) => (all.set(chunk, at), at + chunk.length), 0)
  return all
}

/** Normalizes the loudness of speech to SPEECH_DBM0. */
function levelled(samples: Int16Array): Float64Array {
  let energy = 0
  let voiced = 0
  for (const sample of samples) {
    if (Math.abs(sample) <= QUIET) continue
    energy += sample * sample
    voiced++
  }
  const gain = peakOfDbm0(SPEECH_DBM0) / Math.SQRT2 / Math.max(1, Math.sqrt(energy / Math.max(1, voiced)))
  const spoken = new Float64Array(samples.length)
  for (let i = 0; i < samples.length; i++) spoken[i] = (samples[i] ?? 0) * gain
  return spoken
}

/** Where espeak-ng's name of a language is not its BCP 47 tag. */
const ESPEAK_NAMES: Readonly<Record<string, string>> = {
  en: 'en-us',
  fr: 'fr-fr',
  zh: 'cmn',
  no: 'nb',
  'es-mx': 'es-419',
  'zh-hk': 'yue',
}
const ESPEAK_REGIONS = new Set(['en-us', 'en-gb', 'pt-br', 'fr-be', 'fr-ch', 'es-419'])

function espeakLanguage(language: string): string {
  const tag = language.toLowerCase()
  const primary = tag.split('-')[0] ?? 'en'
  return ESPEAK_NAMES[tag] ?? (ESPEAK_REGIONS.has(tag) ? tag : (ESPEAK_NAMES[primary] ?? primary))
}
