import type { Clock } from '@parley/voice-ports'

/** What a model does in one answer, step by step. */
export type Step =
  /** Word for word, its text before its sound where the model speaks; with textBehind the other way round. */
  | { readonly say: string; readonly textBehind?: boolean }
  /** A text in the place of `with` is sent as the arguments, valid or not. */
  | { readonly call: string; readonly with: Readonly<Record<string, unknown>> | string }
  | { readonly waitMs: number }
  | { readonly fail: { readonly code: string; readonly message: string } }
  /** The socket breaks in mid-word. */
  | { readonly breaks: true }
  /** A frame that is no message of the vendor. */
  | { readonly garbage: string }
  /** Nothing more comes, and the answer never ends. */
  | { readonly hangs: true }

/** What a model was asked, as far as a script may look at it. */
export interface FarQuestion {
  readonly instructions: string
  /** The conversation in order. `heard`: sound of the callee, with its words. */
  readonly items: readonly FarItem[]
  readonly tools: readonly string[]
  readonly language: string | null
  /** Beside the conversation. */
  readonly isApart: boolean
  readonly output: 'text' | 'audio'
}

export interface FarItem {
  readonly id: string
  readonly from: 'system' | 'callee' | 'agent' | 'tool'
  readonly text: string
  readonly isSound: boolean
}

export type Answers = (question: FarQuestion) => readonly Step[]

export interface Pace {
  readonly clock: Clock | null
  /** Between words. */
  readonly wordMs: number
}

/** Waits on the clock; without one, for nothing. */
export function waited({ clock }: Pace, ms: number): Promise<void> {
  if (!clock || ms <= 0) return Promise.resolve()
  return new Promise((done) => void clock.after(ms, done))
}

/** Of one word, in call time. */
export const SPOKEN_WORD_MS = 300
const SOUND_LEVEL = 0x90

/** Mu-law that sounds like nothing in particular, and swells and fades. */
export function toneVoice(ms = SPOKEN_WORD_MS): Uint8Array {
  const length = ms * 8
  return new Uint8Array(length).map((_, at) => {
    const fading = Math.round(0x30 * Math.abs(Math.cos((Math.PI * at) / length)))
    return (at % 16 < 8 ? SOUND_LEVEL - 0x80 : SOUND_LEVEL) + fading
  })
}

export const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '')
