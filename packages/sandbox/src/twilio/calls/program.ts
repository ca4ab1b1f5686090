import { FRAME_MS } from '@parley/voice-ports'
import { speakWhole } from '../../network/sound.ts'
import { cut } from '../parties.ts'
import { MediaStream, type StreamCounts } from '../media/stream.ts'
import { parseTwiml, TwimlFault, type Verb } from './twiml.ts'
import type { Hook, Reply } from '../webhooks.ts'
import type { World } from '../world.ts'

/** Between two keys. */
const DIGIT_MS = 200
const WAITS_MS: Readonly<Record<string, number>> = { w: 500, W: 1000 }
/** Documents that one program may lead through. */
const HOPS_MAX = 100

/** The sound of one verb: 20 ms to the callee, and 20 ms from it. */
export interface Step {
  next(nowMs: number): { readonly audio: Uint8Array | null; readonly digit: string | null }
  hear?(audio: Uint8Array | null, beat: number): void
  digit?(digit: string): void
  stop(): void
}

/** What a program needs of its call. */
export interface Host {
  readonly sid: string
  readonly to: string
  /** The parameters of a request for TwiML. */
  form(more: Readonly<Record<string, string>>): URLSearchParams
  /** Calls another number and connects the callee with it; resolves with the result for `action`. */
  dial(
    verb: Extract<Verb, { type: 'dial' }>,
    use: (step: Step) => void,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>>
  /** Nothing is left to do. `code`: Twilio's error that ended it. */
  done(code: number | null): void
}

/** Where a program comes from: TwiML itself, or where to ask for it. */
export type Source = { readonly twiml: string } | { readonly hook: Hook; readonly fallback: Hook | null }

type Next = { readonly hook: Hook; readonly more: Readonly<Record<string, string>> } | null

/** Runs the verbs of an answered call. */
export class Program {
  readonly streams: StreamCounts[] = []
  readonly #world: World
  readonly #host: Host
  #step: Step | null = null
  #run: AbortController | null = null

  constructor(world: World, host: Host) {
    this.#world = world
    this.#host = host
  }

  next(nowMs: number): ReturnType<Step['next']> {
    return this.#step?.next(nowMs) ?? { audio: null, digit: null }
  }

  hear(audio: Uint8Array | null, beat: number): void {
    this.#step?.hear?.(audio, beat)
  }

  digit(digit: string): void {
    this.#step?.digit?.(digit)
  }

  /** Leaves what is being done for something else; `digits` are sent before it. */
  start(source: Source, more: Readonly<Record<string, string>> = {}, digits = ''): void {
    this.stop()
    const run = new AbortController()
    this.#run = run
    const before: Verb[] = digits === '' ? [] : [{ type: 'digits', digits }]
    const work = this.#perform(before, run.signal).then(() => this.#execute(source, more, run.signal))
    work.then(
      () => this.#finish(run, null),
      (error: unknown) => this.#finish(run, error),
    )
  }

  stop(): void {
    this.#run?.abort()
    this.#run = null
    this.#step?.stop()
    this.#step = null
  }

  #finish(run: AbortController, error: unknown): void {
    if (run.signal.aborted) return
    this.#step = null
    if (error === null) return this.#host.done(null)
    const fault = error instanceof TwimlFault ? error : new TwimlFault(11200, 'HTTP retrieval failure')
    this.#world.warn(this.#host.sid, fault.code, fault.message)
    this.#host.done(fault.code)
  }

  async #execute(source: Source, more: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    let verbs =
      'twiml' in source ? parseTwiml(source.twiml, null) : await this.#fetched(source.hook, source.fallback, more)
    for (let hops = 0; hops < HOPS_MAX; hops++) {
      const next = await this.#perform(verbs, signal)
      if (!next || signal.aborted) return
      verbs = await this.#fetched(next.hook, null, next.more)
    }
    throw new TwimlFault(11215, 'HTTP too many redirects')
  }

  async #perform(verbs: readonly Verb[], signal: AbortSignal): Promise<Next> {
    for (const verb of verbs) {
      if (signal.aborted || verb.type === 'hang_up') return null
      if (verb.type === 'redirect') return { hook: verb.hook, more: {} }
      const result = await this.#do(verb, signal)
      // By then another run may have a step of its own.
      if (signal.aborted) return null
      this.#step = null
      if (result) return result
    }
    return null
  }

  async #do(verb: Exclude<Verb, { type: 'hang_up' | 'redirect' }>, signal: AbortSignal): Promise<Next> {
    const use = (step: Step) => {
      if (signal.aborted) step.stop()
      else this.#step = step
    }
    switch (verb.type) {
      case 'stream':
        await this.#stream(verb.stream, use)
        return verb.action && { hook: verb.action, more: {} }
      case 'digits':
        await new Promise<void>((done) => use(digitStep(verb.digits, done)))
        return null
      case 'pause':
        await new Promise<void>((done) => use(soundStep([], verb.ms / FRAME_MS, done)))
        return null
      case 'say': {
        const { audio } = await speakWhole(this.#world.speak, verb.text, { ...SPOKEN, language: verb.language, signal })
        await played(audio, verb.loop, use)
        return null
      }
      case 'play':
        await played(await this.#sound(verb.url), verb.loop, use)
        return null
      case 'dial': {
        const result = await this.#host.dial(verb, use, signal)
        return verb.action && { hook: verb.action, more: result }
      }
    }
  }

  #stream(target: Extract<Verb, { type: 'stream' }>['stream'], use: (step: Step) => void): Promise<void> {
    const { faults } = this.#world
    return new Promise((done) => {
      const stream = new MediaStream(this.#world, this.#host.sid, target, faults.take('stream', this.#host), done)
      this.streams.push(stream.counts)
      use({
        next: () => ({ audio: stream.next(), digit: null }),
        hear: (audio, beat) => stream.hear(audio, beat),
        digit: (digit) => stream.digit(digit),
        stop: () => stream.stop(),
      })
    })
  }

  async #sound(url: string): Promise<Uint8Array> {
    const reply = await this.#world.webhooks.download(url)
    if (!/^audio\/(?:basic|x-mulaw|mulaw)\b/.test(reply.type)) throw new TwimlFault(12300, 'Invalid Content-Type')
    return reply.audio
  }

  async #fetched(hook: Hook, fallback: Hook | null, more: Readonly<Record<string, string>>): Promise<Verb[]> {
    try {
      return await this.#asked(hook, more)
    } catch (error) {
      if (!fallback) throw error
      const code = error instanceof TwimlFault ? error.code : 11200
      this.#world.warn(this.#host.sid, code, error instanceof Error ? error.message : String(error))
      return this.#asked(fallback, { ...more, ErrorCode: String(code), ErrorUrl: hook.url })
    }
  }

  async #asked(hook: Hook, more: Readonly<Record<string, string>>): Promise<Verb[]> {
    const { webhooks, faults, clock } = this.#world
    const fault = faults.take('twiml', this.#host)
    if (fault?.how === 'lost') throw new TwimlFault(11200, 'HTTP retrieval failure')
    if (fault?.how === 'delayed') await new Promise<void>((resolve) => clock.after(fault.ms, resolve))
    const form = this.#host.form(more)
    if (fault?.how === 'doubled') await webhooks.request(hook, form)
    const reply = await webhooks.request(hook, form, fault?.how === 'bad_signature')
    return verbsOf(reply, hook.url)
  }
}

function verbsOf({ status, type, body }: Reply, url: string): Verb[] {
  if (status < 200 || status >= 300) throw new TwimlFault(11200, `HTTP retrieval failure: status ${status}`)
  if (!/^(?:text|application)\/(?:xml|html)\b/.test(type)) throw new TwimlFault(12300, 'Invalid Content-Type')
  return parseTwiml(body, url)
}

const SPOKEN = { voiceId: 'default' }

function played(audio: Uint8Array, loops: number, use: (step: Step) => void): Promise<void> {
  const frames = cut(audio).map((frame) => frame.audio)
  return new Promise((done) => use(soundStep(frames, frames.length * loops, done)))
}

/** Plays frames round and round, or silence, for so many beats. */
function soundStep(frames: readonly Uint8Array[], beats: number, done: () => void): Step {
  let at = 0
  return {
    next() {
      if (at >= beats) {
        done()
        return { audio: null, digit: null }
      }
      return { audio: frames[at++ % frames.length] ?? null, digit: null }
    },
    stop: done,
  }
}

function digitStep(digits: string, done: () => void): Step {
  let at = 0
  let freeMs = -Infinity
  return {
    next(nowMs) {
      if (nowMs < freeMs) return { audio: null, digit: null }
      const digit = digits[at++]
      if (digit === undefined) {
        done()
        return { audio: null, digit: null }
      }
      const waitMs = WAITS_MS[digit]
      freeMs = nowMs + (waitMs ?? DIGIT_MS)
      return { audio: null, digit: waitMs === undefined ? digit : null }
    },
    stop: done,
  }
}
