import { openAsBlob } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { keepRecording, pathOf, RECORDING_TYPE } from '@parley/contract'
import type { Logger } from 'pino'
import { SAMPLE_RATE_HZ, SILENCE_BYTE, WAV_HEADER_BYTES, wavHeader } from '@parley/voice-ports'
import type { RecordingSink } from '../session/reporting/recording.ts'

export interface SpoolOptions {
  readonly dir: string
  readonly apiUrl: string
  /** Shared with an api that gives no tokens. */
  readonly secret: string
  readonly log: Logger
  /** Wall-clock times between attempts to hand a recording over, and until it is given up. */
  readonly pace?: { readonly firstRetryMs: number; readonly longestRetryMs: number; readonly budgetMs: number }
}

const PACE = { firstRetryMs: 500, longestRetryMs: 30_000, budgetMs: 3_600_000 }
const UPLOAD_DEADLINE_MS = 300_000
/** Unwritten blocks of 1 s beyond which the disk counts as too slow. */
const UNWRITTEN_MAX = 30
const SUFFIX = '.wav'
/** Beside a recording, for a restart. */
const TOKEN_SUFFIX = '.token'

/**
 * Recordings on their way to the api, which owns them: written during the call, uploaded after it and deleted. A
 * crash's leftovers are uploaded at the next start.
 */
export class Spool {
  readonly #options: SpoolOptions
  readonly #closing = new AbortController()
  #ready: Promise<unknown> | null = null

  constructor(options: SpoolOptions) {
    this.#options = options
  }

  /** Uploads under way stay here and are sent at the next start. */
  close(): void {
    this.#closing.abort()
  }

  async sendLeftovers(): Promise<void> {
    await this.#prepare()
    const names = (await readdir(this.#options.dir)).filter((name) => name.endsWith(SUFFIX))
    await Promise.all(names.map((name) => this.#handOver(decodeURIComponent(name.slice(0, -SUFFIX.length)))))
  }

  /** @param token of the call's order */
  sinkFor(callId: string, token?: string): RecordingSink {
    const { log } = this.#options
    const file = this.#prepare().then(async () => {
      if (token !== undefined) await writeFile(this.#pathOf(callId, TOKEN_SUFFIX), token, { mode: 0o600 })
      return open(this.#pathOf(callId), 'wx+', 0o600)
    })
    let unwritten = 0
    let failed = false
    let written: Promise<unknown> = file.then((handle) => handle.write(new Uint8Array(WAV_HEADER_BYTES)))
    const fail = (error: unknown) => {
      if (!failed) log.error({ callId, err: error }, 'recording not written')
      failed = true
    }
    const close = async () => {
      await written.catch(fail)
      await (await file).close()
    }
    written.catch(fail)
    return {
      write(block) {
        if (failed) return
        if (++unwritten > UNWRITTEN_MAX) return fail(new Error('The disk is too slow.'))
        written = written.then(async () => (await file).write(block)).then(() => unwritten--)
        written.catch(fail)
      },
      silence(channel, fromSample, untilSample) {
        if (failed) return
        written = written.then(async () => silenceIn(await file, channel, fromSample, untilSample))
        written.catch(fail)
      },
      keep: async () => {
        await close().catch(fail)
        if (failed) await this.#remove(callId)
        else await this.#handOver(callId)
      },
      discard: async () => {
        await close().catch(fail)
        await this.#remove(callId)
      },
    }
  }

  #prepare(): Promise<unknown> {
    this.#ready ??= mkdir(this.#options.dir, { recursive: true, mode: 0o700 })
    return this.#ready
  }

  #pathOf(callId: string, suffix = SUFFIX): string {
    return join(this.#options.dir, `${encodeURIComponent(callId)}${suffix}`)
  }

  async #remove(callId: string): Promise<void> {
    await rm(this.#pathOf(callId), { force: true })
    await rm(this.#pathOf(callId, TOKEN_SUFFIX), { force: true })
  }

  #credentialOf(callId: string): Promise<string> {
    return readFile(this.#pathOf(callId, TOKEN_SUFFIX), 'utf8').catch(() => this.#options.secret)
  }

  async #handOver(callId: string): Promise<void> {
    const { log, pace = PACE } = this.#options
    const deadline = performance.now() + pace.budgetMs
    for (let retries = 0; !this.#closing.signal.aborted; retries++) {
      const outcome = await this.#upload(callId).catch((error: unknown) => ({ done: false, why: String(error) }))
      if (outcome.done || performance.now() > deadline) {
        if (outcome.why !== '') log.error({ callId, why: outcome.why }, 'recording given up')
        return this.#remove(callId)
      }
      log.warn({ callId, why: outcome.why, retries }, 'recording not taken')
      const delayMs = Math.min(pace.longestRetryMs, pace.firstRetryMs * 2 ** retries)
      await pause(delayMs, undefined, { ref: false, signal: this.#closing.signal }).catch(() => undefined)
    }
  }

  /** done: taken, or refused for good. */
  async #upload(callId: string): Promise<{ done: boolean; why: string }> {
    const path = this.#pathOf(callId)
    const { size } = await stat(path)
    await writeHeader(path, size)
    const { apiUrl } = this.#options
    const credential = await this.#credentialOf(callId)
    const reply = await fetch(new URL(pathOf(keepRecording, { id: callId }), apiUrl), {
      method: keepRecording.method,
      headers: { 'content-type': RECORDING_TYPE, authorization: `Bearer ${credential}` },
      // Read from the disk as it is sent, with its length in the head.
      body: await openAsBlob(path),
      signal: AbortSignal.any([AbortSignal.timeout(UPLOAD_DEADLINE_MS), this.#closing.signal]),
    })
    await reply.body?.cancel()
    // A wrong credential may be mended; what else is wrong with the request stays so.
    const refused = reply.status >= 400 && reply.status < 500 && ![401, 429].includes(reply.status)
    return { done: reply.ok || refused, why: reply.ok ? '' : String(reply.status) }
  }
}

const SILENCED_SAMPLES = 64_000

/** Only what is in the file yet: the rest is written silent. */
async function silenceIn(file: FileHandle, channel: 0 | 1, fromSample: number, untilSample: number): Promise<void> {
  for (let from = fromSample; from < untilSample; from += SILENCED_SAMPLES) {
    const samples = Math.min(SILENCED_SAMPLES, untilSample - from)
    const position = WAV_HEADER_BYTES + 2 * from
    const { buffer, bytesRead } = await file.read(new Uint8Array(2 * samples), 0, 2 * samples, position)
    for (let at = channel; at < bytesRead; at += 2) buffer[at] = SILENCE_BYTE
    await file.write(buffer, 0, bytesRead, position)
  }
}

/** The length is known only at the end. */
async function writeHeader(path: string, size: number): Promise<void> {
  const file = await open(path, 'r+')
  const header = wavHeader(
    { format: 'mulaw', channels: 2, sampleRateHz: SAMPLE_RATE_HZ },
    Math.max(0, size - WAV_HEADER_BYTES),
  )
  await file.write(header, 0, header.length, 0)
  await file.close()
}
