/** A stretch of sound, judged. */
export interface Judged {
  /** Clock time of its end. */
  readonly endsMs: number
  /** Probability of speech in it, 0 to 1. */
  readonly speech: number
}

/** The judging of one leg's sound. */
export interface SpeechJudging {
  /** Mu-law of any length. A gap of more than 100 ms before `endsMs` starts anew. */
  push(audio: Uint8Array, endsMs: number): void
  close(): void
}

/** Tells speech from other sound: music, traffic, a cough. Costs more than a level, so it is asked while it is loud. */
export interface SpeechDetector {
  readonly name: string
  /** Verdicts come in order, possibly late, from another thread; none comes while the detector is overloaded or gone. */
  open(onJudged: (judged: Judged) => void): SpeechJudging
  close(): Promise<void>
}
