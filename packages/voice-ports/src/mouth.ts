/** A word by its place in the text that was given; "7pm" is spoken as several words of one range. */
export interface SpokenWord {
  readonly fromChar: number
  readonly toChar: number
  /** When it has been said, from the start of that text's speech. */
  readonly endMs: number
  /** The voice did not tell the time: it follows from the length of the words. */
  readonly estimated?: true
}

/** A stretch of speech: mu-law of any length, words, or both; words may follow their audio. */
export interface SpokenChunk {
  readonly audio: Uint8Array
  readonly words?: readonly SpokenWord[]
}

export interface VoiceOptions {
  readonly language: string
  readonly voiceId: string
}

export interface MouthOptions extends VoiceOptions {
  /** The connection broke outside speak(): this object speaks no more, another can be opened. */
  readonly onFailed?: (error: Error) => void
  /** This much text was given to a vendor, which counts it whether or not it is heard to its end. */
  readonly onSpoken?: (spoken: SpokenCharacters) => void
}

export interface SpokenCharacters {
  readonly mouth: string
  readonly characters: number
}

/** The voice of one call; connections of vendors live that long. */
export interface Speaking {
  /** Streams the speech of one sentence or clause. Aborting stops it at once, without an error. */
  speak(text: string, options: { readonly signal: AbortSignal }): AsyncIterable<SpokenChunk>
  /** Of the texts given from here on. */
  setLanguage(language: string): void
  /** Ends what is being spoken; later texts bring nothing. */
  close(): void
}

export interface Mouth {
  readonly name: string
  /** Whether chunks bring words; without them heard text is estimated by time. */
  readonly wordTimes: boolean
  /** Opened while the leg rings, so that the first sentence is not late. */
  open(options: MouthOptions): Speaking
}

const BYTES_PER_MS = 8

/** Speaks single texts, each in a voice opened for it; words carry their own text, and their times are the chunk's. */
export function voiceOf(mouth: Mouth) {
  return async function* speak(text: string, { signal, ...options }: VoiceOptions & { readonly signal: AbortSignal }) {
    const speaking = mouth.open(options)
    let spokenMs = 0
    try {
      for await (const { audio, words = [] } of speaking.speak(text, { signal })) {
        const startMs = spokenMs
        yield {
          audio,
          words: words.map(({ fromChar, toChar, endMs }) => ({
            text: text.slice(fromChar, toChar),
            endMs: endMs - startMs,
          })),
        }
        spokenMs += audio.length / BYTES_PER_MS
      }
    } finally {
      speaking.close()
    }
  }
}
