import { spawn } from 'node:child_process'
import { SAMPLE_RATE_HZ } from '../../audio/frame.ts'
import { encodeMulaw, peakOfDbm0 } from '../../audio/mulaw.ts'
import { resample } from '../../audio/resample.ts'
import { decodeWav } from '../../audio/wav.ts'
import type { VoiceShape } from './voices.ts'
import { espeakLanguage } from './voices.ts'
import { wordEnds, wordsOf } from './words.ts'

const PLACES = ['espeak-ng', '/usr/bin/espeak-ng', '/usr/local/bin/espeak-ng', '/opt/homebrew/bin/espeak-ng']
const DEADLINE_MS = 5000
/** Two minutes of its sound; a sentence has seconds. */
const OUTPUT_BYTES_MAX = 6_000_000
/** The level of a voice on a telephone line. */
const SPEECH_DBM0 = -18
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
  const args = ['--stdin', '--stdout', '-b', '1', '-z', '-v', voice, '-p', `${shape.pitch}`, '-s', `${shape.wordsPerMinute}`]
  const file = await run(binary, args, written(text))
  const { channels, sampleRateHz } = decodeWav(file)
  const spoken = levelled(trimmed(resample(channels[0] ?? new Int16Array(0), sampleRateHz, SAMPLE_RATE_HZ)))
  if (spoken.length === 0) throw new Error('espeak-ng made no sound')
  return { audio: encodeMulaw(spoken), words: wordEnds(wordsOf(text), (spoken.length * 1000) / SAMPLE_RATE_HZ) }
}

/** Double brackets are read as phonemes: not those of a text, but ours for the hum it would otherwise spell. */
function written(text: string): string {
  return text.replaceAll('[[', '[ [').replaceAll(/\bmhm\b/gi, "[[m'hm]]")
}

function run(binary: string, args: readonly string[], input: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: DEADLINE_MS, killSignal: 'SIGKILL' })
    const parts: Uint8Array[] = []
    let bytes = 0
    child.stdout.on('data', (part: Uint8Array) => {
      bytes += part.length
      if (bytes > OUTPUT_BYTES_MAX) child.kill('SIGKILL')
      else parts.push(part)
    })
    child.on('error', reject)
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

/** Every voice as loud as the next, whatever the maker thinks of it. */
function levelled(samples: Int16Array): Float64Array {
  const voiced = samples.filter((sample) => Math.abs(sample) > QUIET)
  const rms = Math.sqrt(voiced.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, voiced.length))
  const gain = peakOfDbm0(SPEECH_DBM0) / Math.SQRT2 / Math.max(1, rms)
  return Float64Array.from(samples, (sample) => sample * gain)
}
