/** A stretch of speech: mu-law of any length, and the words that end in it, by offset into this stretch. */
export interface SpokenChunk {
  readonly audio: Uint8Array
  readonly words: readonly { readonly text: string; readonly endMs: number }[]
}

export interface MouthOptions {
  readonly language: string
  readonly voiceId: string
  readonly signal: AbortSignal
}

export interface Mouth {
  readonly name: string
  /** Streams the speech of one sentence or clause. Aborting stops it at once, without an error. */
  speak(text: string, options: MouthOptions): AsyncIterable<SpokenChunk>
}
