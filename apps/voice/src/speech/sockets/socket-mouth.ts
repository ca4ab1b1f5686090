import { randomUUID } from 'node:crypto'
import type { Clock, Mouth, MouthOptions, Speaking, SpokenChunk, VoiceOptions } from '@parley/voice-ports'
import type { SpeechFailure } from '../failure.ts'
import { isSayable } from '../sayable.ts'
import { Link } from './link.ts'
import type { SocketProtocol } from './protocol.ts'
import { TextUnderWay } from './text.ts'

/** A quiet connection that lasted this long may be opened again when the vendor closes it. */
const LASTED_MS = 10_000

/** Speaks by a vendor's socket, which is opened with the voice and kept for the call. */
export function socketMouth(protocol: SocketProtocol, clock: Clock): Mouth {
  return {
    name: protocol.name,
    wordTimes: protocol.wordTimes,
    open: (options) => new SocketSpeaking(protocol, clock, options),
  }
}

class SocketSpeaking implements Speaking {
  readonly #protocol: SocketProtocol
  readonly #clock: Clock
  readonly #options: MouthOptions
  readonly #closed = new AbortController()
  readonly #older = new Set<Link>()
  #speaks = 0
  #voice: VoiceOptions
  #current: { readonly link: Link; readonly url: string }

  constructor(protocol: SocketProtocol, clock: Clock, options: MouthOptions) {
    this.#protocol = protocol
    this.#clock = clock
    this.#options = options
    this.#voice = { language: options.language, voiceId: options.voiceId }
    this.#current = this.#connect()
  }

  async *speak(text: string, { signal }: { readonly signal: AbortSignal }): AsyncGenerator<SpokenChunk> {
    const ended = AbortSignal.any([signal, this.#closed.signal])
    if (ended.aborted || !isSayable(text)) return
    const { link } = this.#connected()
    const { wordTimes } = this.#protocol
    const given = { ...this.#voice, id: randomUUID(), text }
    const under = new TextUnderWay(given, { clock: this.#clock, wordTimes })
    // At once: who waits for the sound need not be there yet when the text is aborted.
    const leave = () => link.cancel(under)
    ended.addEventListener('abort', leave, { once: true })
    link.speak(under)
    this.#options.onSpoken?.({ mouth: this.#protocol.name, characters: text.length })
    this.#speaks++
    try {
      yield* under.chunks(ended)
    } finally {
      this.#speaks--
      ended.removeEventListener('abort', leave)
      link.cancel(under)
      this.#leaveIdle()
    }
  }

  setLanguage(language: string): void {
    this.#voice = { ...this.#voice, language }
    if (this.#closed.signal.aborted) return
    try {
      this.#connected()
    } catch {
      // No voice for this language: the next text fails for it, and says so.
    }
  }

  close(): void {
    this.#closed.abort()
    for (const link of [this.#current.link, ...this.#older]) link.close()
    this.#older.clear()
  }

  /** In the language of now; another one may be spoken elsewhere. */
  #connected(): { readonly link: Link } {
    const isElsewhere = this.#protocol.address(this.#voice).url !== this.#current.url
    if (this.#current.link.isUsable && !isElsewhere) return this.#current
    if (this.#current.link.isUsable) this.#older.add(this.#current.link)
    this.#current = this.#connect()
    this.#leaveIdle()
    return this.#current
  }

  #connect(): { readonly link: Link; readonly url: string } {
    const address = this.#protocol.address(this.#voice)
    const onClosed = (failure: SpeechFailure) => this.#lost(link, failure)
    const link = new Link({ protocol: this.#protocol, address, clock: this.#clock, onClosed })
    return { link, url: address.url }
  }

  #lost(link: Link, failure: SpeechFailure): void {
    this.#older.delete(link)
    if (this.#closed.signal.aborted || this.#current.link !== link) return
    // Vendors close what is quiet for a while: the next text should not wait for a connection.
    if (failure.kind !== 'refused' && this.#clock.nowMs() - link.openedMs >= LASTED_MS) this.#current = this.#connect()
    else if (this.#speaks === 0) this.#options.onFailed?.(failure)
  }

  #leaveIdle(): void {
    for (const link of this.#older) {
      if (!link.isIdle) continue
      this.#older.delete(link)
      link.close()
    }
  }
}
