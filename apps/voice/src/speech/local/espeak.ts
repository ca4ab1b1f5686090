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
/** Below this share of full scale it is the maker's own silence, to be trimmed. */
const QUIET = 300

/** The program to speak with, or null where there is none. */
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

/** Double brackets are read as phonemes: not those of a text, but ours for the hum it would otherwise spell. */
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
    // First of all: where no more files can be opened there are no pipes to listen to.
    child.on('error', reject)
    const parts: Uint8Array[] = []
    let bytes = 0
    child.stdout.on('data', (part: Uint8Array) => {
      bytes += part.length
      if (bytes > OUTPUT_BYTES_MAX) child.kill('SIGKILL')
      else parts.push(part)
    })
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(parts))
      else reject(new Error(`espeak-ng ended with ${code ?? 'a signal'}`))
    })
    // A program that went away early says so by its exit, not by the broken pipe.
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

/** A second takes about 2 ms, and calls want their turn every 20: so one second at a time. */
async function telephoneBand(samples: Int16Array, rateHz: number): Promise<Int16Array> {
  const resampler = createResampler(rateHz, SAMPLE_RATE_HZ)
  const parts: Int16Array[] = []
  for (let at = 0; at < samples.length; at += rateHz) {
    parts.push(resampler.push(samples.subarray(at, at + rateHz)))
    await setImmediate()
  }
  parts.push(resampler.flush())
  const all = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0)
  return all
}

/** Every voice as loud as the next, whatever the maker thinks of it. */
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

function espeakLanguage(language: string): string {
  const tag = language.toLowerCase()
  const primary = tag.split('-')[0] ?? 'en'
  return ESPEAK_NAMES[tag] ?? (ESPEAK_REGIONS.has(tag) ? tag : (ESPEAK_NAMES[primary] ?? primary))
}
