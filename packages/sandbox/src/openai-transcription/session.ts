import type { Peer } from '../recognition/peer.ts'
import { Recogniser } from '../recognition/recogniser.ts'
import type { ScriptedWord, SpeechScript } from '../recognition/script.ts'
import type { Connection } from '../recognition/server.ts'
import { ClientEvent, error, event, type Input, isStreaming, mistakeIn, newId, sessionOf } from './protocol.ts'

/** A commit needs this much sound. */
const COMMIT_MIN_MS = 100

/** One connection of a transcription session. */
export class TranscriptionSession implements Connection {
  readonly #peer: Peer
  readonly #recogniser: Recogniser
  readonly #id = newId('sess')
  #input: Input = {}
  #itemId = newId('item')
  #before: string | null = null
  #committedMs = 0
  #toldWords = 0
  #failsNext = false

  constructor(peer: Peer, script: SpeechScript) {
    this.#peer = peer
    this.#recogniser = new Recogniser(script)
    peer.send(event('session.created', { session: sessionOf(this.#id, this.#input) }))
  }

  onBinary(): void {
    this.#refuse('Binary messages are not events.')
  }

  onText(text: string): void {
    const asked = ClientEvent.safeParse(parsed(text))
    if (!asked.success) return this.#refuse(asked.error.issues[0]?.message ?? 'The event is not understood.')
    switch (asked.data.type) {
      case 'session.update':
        return this.#update(asked.data.session.audio.input, asked.data.event_id)
      case 'input_audio_buffer.append':
        return this.#append(Buffer.from(asked.data.audio, 'base64'))
      case 'input_audio_buffer.commit':
        return this.#commit(asked.data.event_id)
      case 'input_audio_buffer.clear':
        this.#committedMs = this.#recogniser.heardMs
        return this.#peer.send(event('input_audio_buffer.cleared', {}))
    }
  }

  onClosed(): void {}

  get #isStreaming(): boolean {
    return isStreaming(this.#input.transcription?.model ?? '')
  }

  /** Gibberish where another language is expected. */
  get #words(): readonly ScriptedWord[] {
    const { words, language } = this.#recogniser
    const { language: one, languages = one === undefined ? [] : [one] } = this.#input.transcription ?? {}
    if (languages.length === 0 || languages.includes(language.split('-')[0] ?? '')) return words
    return words.map((word) => ({ ...word, text: 'uh' }))
  }

  #refuse(message: string): void {
    this.#peer.send(error({ code: 'invalid_value', message }))
  }

  #update(input: Input, eventId: string | undefined): void {
    const mistake = input.transcription ? mistakeIn(input.transcription) : null
    if (mistake !== null) return this.#peer.send(error({ code: 'invalid_value', message: mistake, eventId }))
    this.#input = { ...this.#input, ...input }
    return this.#peer.send(event('session.updated', { session: sessionOf(this.#id, this.#input) }))
  }

  #append(audio: Buffer): void {
    this.#recogniser.push(audio)
    this.#peer.heard(this.#recogniser.heardMs, (code) => {
      if (code === 'transcription_failed') this.#failsNext = true
      else this.#peer.send(error({ code, message: 'The vendor says why.' }))
      if (code === 'session_expired') this.#peer.close(1001, 'session_expired')
    })
    if (this.#isStreaming) this.#tellDeltas(this.#words)
  }

  #tellDeltas(words: readonly ScriptedWord[]): void {
    for (const { text } of words.slice(this.#toldWords)) {
      const delta = this.#toldWords === 0 ? text : ` ${text}`
      this.#toldWords++
      this.#tell('delta', { delta, logprobs: null })
    }
  }

  #commit(eventId: string | undefined): void {
    const seconds = (this.#recogniser.heardMs - this.#committedMs) / 1000
    if (seconds * 1000 < COMMIT_MIN_MS) {
      const message = `Error committing input audio buffer: buffer too small. Expected at least 100ms of audio.`
      return this.#peer.send(error({ code: 'input_audio_buffer_commit_empty', message, eventId }))
    }
    this.#committedMs = this.#recogniser.heardMs
    const words = this.#words
    this.#peer.send(event('input_audio_buffer.committed', { item_id: this.#itemId, previous_item_id: this.#before }))
    if (this.#failsNext) {
      this.#failsNext = false
      const { message } = { message: 'Transcription failed.' }
      this.#tell('failed', { error: { type: 'server_error', code: 'transcription_failed', message, param: null } })
    } else {
      this.#tellDeltas(words)
      const transcript = words.map(({ text }) => text).join(' ')
      const { language } = this.#recogniser
      const isToldLanguage = this.#input.transcription?.model === 'gpt-transcribe'
      const languages = isToldLanguage && { languages: words.length > 0 ? [{ code: language.split('-')[0] }] : [] }
      const usage = { type: 'duration', seconds }
      this.#recogniser.take(words.length)
      this.#tell('completed', { transcript, usage, logprobs: null, ...languages })
    }
    this.#before = this.#itemId
    this.#itemId = newId('item')
    this.#toldWords = 0
    return undefined
  }

  #tell(what: 'delta' | 'completed' | 'failed', fields: object): void {
    const told = { item_id: this.#itemId, content_index: 0, ...fields }
    this.#peer.send(event(`conversation.item.input_audio_transcription.${what}`, told))
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
