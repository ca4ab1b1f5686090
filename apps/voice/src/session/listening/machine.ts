import type { ToneEvent } from '../../audio/tones.ts'
import { wordsOf } from '../phrases.ts'

/**
 * What answered: a person or a machine? Pure: what is heard goes in, and a change of mind comes out.
 * A verdict on a recorder needs its words or a long greeting, and its beep; known words may do with silence.
 */
export interface MachineState {
  readonly verdict: 'person' | 'suspected' | 'voicemail'
  /** The callee's words since the answer; judged only until the first conversation. */
  readonly settled: string
  readonly speakingSinceMs: number | null
  readonly longGreeting: boolean
  /** When the greeting fell silent. */
  readonly quietSinceMs: number | null
  /** Somebody has been spoken with: from then on only a beep proves a machine. */
  readonly conversing: boolean
}

export type MachineEvent =
  | { readonly type: 'words'; readonly text: string; readonly final: boolean }
  | { readonly type: 'speech_started'; readonly sinceMs: number }
  | { readonly type: 'speech_stopped'; readonly untilMs: number }
  | { readonly type: 'tone'; readonly tone: ToneEvent }
  | { readonly type: 'conversation' }
  | { readonly type: 'tick' }

/** A person greets shorter than this. */
const LONG_GREETING_MS = 2500
/** A recorder without a beep is spoken to after this. */
const QUIET_MS = 1500
/** Later than this nobody but a person is there. */
const GREETING_WORDS_MAX = 120

export const FIRST_MACHINE_STATE: MachineState = {
  verdict: 'person',
  settled: '',
  speakingSinceMs: null,
  longGreeting: false,
  quietSinceMs: null,
  conversing: false,
}

const RECORDER_PHRASES: readonly RegExp[] = [
  /\b(leave|record)( me| us)? (a|your|the)( short| brief| detailed)? (message|name)/,
  /\b(after|at) the (tone|beep|signal)\b/,
  /\b(voice ?mail|voice message|answering machine|mailbox)\b/,
  /\bhas been forwarded to\b/,
  /\byou(['’]ve| have) reached .*\b(not|can(['’]t|not)|unable|away|sorry|closed)\b/,
  /\b(can(['’]t|not)|unable to|not able to) (come to|answer|take|get to) (the|my|your) (phone|call)\b/,
  /\bget back to you\b.*\b(soon|possible)\b/,
  /\bthe (person|party|number|customer|subscriber) you (are|have|were) .*(not|un)\s?available\b/,
  /\bdej[ae] (su|tu|un) mensaje\b/,
  /\bdespu[ée]s (de la|del) (señal|tono)\b/,
  /\bbuz[óo]n de voz\b/,
  /\bcontestador\b/,
  /\blaiss(ez|er)?( moi| nous)? (un|votre) message\b/,
  /\bapr[èe]s le (bip|signal)/,
  /\b(messagerie|r[ée]pondeur)\b/,
  /\bnachricht(en)? .*(signalton|piepton|hinterlass)/,
  /\b(signalton|piepton|anrufbeantworter|mailbox)\b/,
  /\bhinterlass(e|en|t) (sie|uns|mir) .*nachricht\b/,
]

/** A question is asked by somebody. */
const QUESTION = /\?\s*$/

/** A person about somebody's absence, or about a voicemail: "he is not available, can I take a message?" */
const PERSON_PHRASES: readonly RegExp[] = [
  /\b(can|could|may|shall|should|would you like( me)? to|do you want( me)? to) (i |you )?(take|give|leave|tell|pass|ask|help|know)\b/,
  /\bwho('s| is| am i)\b/,
  /\bi('m| am| was)? (just )?(got|heard|listened|checking|calling)\b/,
]

/** Whether these are the words of a recorded greeting. */
export function isRecordedGreeting(text: string): boolean {
  const words = wordsOf(text).join(' ')
  return (
    RECORDER_PHRASES.some((phrase) => phrase.test(words)) && !QUESTION.test(text) && !PERSON_PHRASES.some((phrase) => phrase.test(words))
  )
}

export function listenForMachine(state: MachineState, event: MachineEvent, nowMs: number): MachineState {
  if (state.verdict === 'voicemail') return state
  switch (event.type) {
    case 'words': {
      const heard = `${state.settled} ${event.text}`.trim()
      const settled = event.final ? heard : state.settled
      if (wordsOf(heard).length > GREETING_WORDS_MAX) return { ...state, settled, verdict: 'person' }
      return { ...state, settled, verdict: isRecordedGreeting(heard) ? 'suspected' : state.verdict }
    }
    case 'speech_started':
      return { ...state, speakingSinceMs: event.sinceMs, quietSinceMs: null }
    case 'speech_stopped': {
      const longGreeting = state.longGreeting || lasted(state, event.untilMs) > LONG_GREETING_MS
      return { ...state, longGreeting, speakingSinceMs: null, quietSinceMs: event.untilMs }
    }
    case 'conversation':
      return { ...state, conversing: true, settled: '', longGreeting: false }
    case 'tone': {
      const long = state.longGreeting || lasted(state, nowMs) > LONG_GREETING_MS
      const recorder = state.verdict === 'suspected' || long
      return event.tone.type === 'beep' && recorder ? { ...state, verdict: 'voicemail' } : state
    }
    case 'tick': {
      const quiet = state.quietSinceMs !== null && nowMs - state.quietSinceMs >= QUIET_MS
      if (state.verdict !== 'suspected' || !quiet) return state
      return state.conversing ? { ...state, verdict: 'person', settled: '' } : { ...state, verdict: 'voicemail' }
    }
  }
}

/** When `tick` may change the verdict. */
export function machineDeadlineMs(state: MachineState): number | null {
  return state.verdict === 'suspected' && state.quietSinceMs !== null ? state.quietSinceMs + QUIET_MS : null
}

function lasted({ speakingSinceMs }: MachineState, untilMs: number): number {
  return speakingSinceMs === null ? 0 : untilMs - speakingSinceMs
}
