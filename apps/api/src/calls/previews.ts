import { RECORDING_TYPE, type VoicePreview } from '@parley/contract'
import type { FastifyReply } from 'fastify'
import { AppError } from '../platform/errors.ts'
import type { Logger } from 'pino'
import type { Voice } from './voice.ts'

/** A voice sounds the same for so long; a vendor is paid for each new one. */
const KEPT_MS = 3_600_000

interface Kept {
  readonly file: Promise<Buffer>
  readonly untilMs: number
}

/** Previews of voices: one for each voice and language is kept, and is made once for all who ask at the same time. */
export class Previews {
  readonly #kept = new Map<string, Kept>()

  get(asked: VoicePreview, make: () => Promise<Buffer>, nowMs = Date.now()): Promise<Buffer> {
    const key = `${asked.voice} ${asked.language}`
    const known = this.#kept.get(key)
    if (known && known.untilMs > nowMs) return known.file
    const kept: Kept = { file: make(), untilMs: nowMs + KEPT_MS }
    this.#kept.set(key, kept)
    kept.file.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key)
    })
    return kept.file
  }
}

export async function sendPreview(
  { voice, log, previews }: { readonly voice: Voice; readonly log: Logger; readonly previews: Previews },
  asked: VoicePreview,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = await previews
    .get(asked, () => voice.preview(asked))
    .catch((error: unknown) => {
      log.warn({ err: error, ...asked }, 'preview')
      throw new AppError('unavailable', 'This voice cannot be played right now. Please try again.')
    })
  return reply
    .header('cache-control', `private, max-age=${KEPT_MS / 1000}`)
    .type(RECORDING_TYPE)
    .send(file)
}
