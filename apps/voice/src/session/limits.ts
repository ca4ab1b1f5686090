/** Every wait of a call, in call time unless stated otherwise. */

/** Silence after speech that ends a turn, when its words do not say otherwise. */
export const END_OF_TURN_MS = 500
/** ... after a question or a complete short answer. */
export const END_OF_TURN_QUICK_MS = 300
/** ... after an unfinished sentence. */
export const END_OF_TURN_UNFINISHED_MS = 1500
/** ... while a number is being read out. */
export const END_OF_TURN_NUMBER_MS = 1800
/** ... after "um": the longest wait there is. */
export const END_OF_TURN_THINKING_MS = 3000

/** ... after a finished sentence of a turn with so many words: who tells something draws breath between sentences. */
export const TELLING_WORDS = 30
export const END_OF_TURN_TELLING_MS = 800
/** ... after a finished sentence of a callee who has gone on after such a pause before: at most, and beyond that pause. */
export const END_OF_TURN_PATIENT_MS = 1000
export const PAUSE_MARGIN_MS = 150
/** A pause counts for so much less with each reply that is heard to its end. */
export const PAUSE_FORGOTTEN_MS = 50
/** A callee who begins this soon after the agent does not react to it: the sound is still under way. */
export const REACTION_MS = 400

/** When a deadline falls due while the sound contradicts it, it is checked again after this. */
export const DOUBT_MS = 60
/** Words that no finalize() asked for may be followed by more; a turn is not judged before. */
export const LATE_WORDS_MS = 200
/** An ear with an end of turn of its own is waited for, this long at least, before the words decide. */
export const EAR_TURN_END_MS = 1000
/** A prediction of the end of turn that takes longer is given up. */
export const TURN_END_ANSWER_MS = 1000
/** Words answered as partials are recognised when their final comes within this time after their sound. */
export const ANSWERED_KEPT_MS = 4000
/** Continuous sound counts as noise when no new words came for this long. */
export const NOISE_AFTER_WORDS_MS = 5000
/** Sound without any words is taken for silence after this. */
export const NOISE_MS = 10_000
/** Speech this long should have brought words; if none come, the agent asks again. */
export const WORDLESS_SPEECH_MS = 1000
export const WORDLESS_WAIT_MS = 1500

/** Speech of this length over the agent's own is an interruption; so are this many words. */
export const INTERRUPTION_MS = 500
export const INTERRUPTION_WORDS = 2
/** Known back-channels may last longer than that. */
export const BACK_CHANNEL_MS = 1500
/** The agent goes on where it stopped, when nothing was said after all. */
export const RESUME_MS = 2000
export const RESUME_AFTER_BACK_CHANNEL_MS = 500
/** A "yes" this close to the end of the agent's speech answers it. */
export const ANSWER_WINDOW_MS = 800
/** ... unless the callee says more within this time: a hum may lead up to an answer. */
export const ANSWER_GRACE_MS = 1500

/** Between the disclosure and what follows, so that a "hello?" finds room. */
export const OPENING_PAUSE_MS = 300

/** Silence before the agent prompts; after so many prompts the call ends with `silence`. */
export const SILENCE_MS = 8000
export const SILENCE_PROMPTS = 2

/** A callee who asked to hold is given this long, within the time limit, and prompted rarely. */
export const HOLD_MAX_MS = 300_000
export const HOLD_PROMPT_MS = 45_000

/** No sound of the reply by now: the agent says a short phrase first. */
export const FILLER_MS = 1500
/** Speech that pauses for this long behind a full sentence is spoken, although more may belong to it. */
export const SETTLED_MS = 150
/** A reply that has not begun by now has failed. */
export const REPLY_TIMEOUT_MS = 6000
/** Replies that failed twice each, in a row, before the call is given up. */
export const FAILURES_MAX = 3

/** Goodbyes that a callee may withdraw by a second thought. */
export const GOODBYES_TAKEN_BACK_MAX = 2
/** After the goodbye the leg stays open for the callee's own. */
export const PARTING_MS = 1500
export const PARTING_AFTER_SPEECH_MS = 300
export const PARTING_MAX_MS = 4000

/** A machine is listened to for this long at most before the agent speaks. */
export const MACHINE_HOLD_MS = 60_000

/** Nothing more to play although the sentence is not finished: the rest is given up. */
export const STALLED_MS = 5000
/** A mark that the carrier never returned counts as played this long after its frame. */
export const MARK_LOST_MS = 3000
/** A call that tells a code: until it speaks and after its last word, and its longest life. */
export const ANNOUNCEMENT_PAUSE_MS = 800
export const ANNOUNCEMENT_LIMIT_MS = 60_000
/** Backstop behind the carrier's own ring timeout. */
export const RING_BACKSTOP_MS = 5000
/** An ear that failed is opened again after this; each further failure doubles the wait, up to the maximum. */
export const EAR_REOPEN_MS = 500
export const EAR_REOPEN_MAX_MS = 8000
/** Failures of the ear without a word in between before the call is given up: some 15 s. */
export const EAR_FAILURES_MAX = 6
/** ... and before the next ear takes over, where there is one. */
export const EAR_FAILURES_BEFORE_NEXT = 2
/** An ear that asks for a longer wait is replaced or given up. */
export const EAR_RETRY_AFTER_MAX_MS = 15_000
/** An ear that is not ready by now has failed; one that lasted this long has recovered. */
export const EAR_READY_MS = 5000
export const EAR_RECOVERED_MS = 60_000
/** Sound without a final that a new ear hears again. */
export const EAR_REPLAY_MS = 10_000
/** ... and of silence, for words whose voice was not detected. */
export const EAR_REPLAY_QUIET_MS = 1000
/** Sound below this is repeated as silence: far below what is looked at for a voice. */
export const EAR_REPLAY_FAINTEST_DBM0 = -58
/** A turn is held open for the words that an ear owes, however long it takes to replace one that failed. */
export const EAR_OUTAGE_MAX_MS = 8000
/** ... and no longer than this once the next connection hears again what the broken one had not made final. */
export const EAR_CATCHES_UP_MS = 4000
/** The echo of a speakerphone: 700 ms late at most, and its words as late as an ear may be. */
export const ECHO_WORDS_MS = 2500
/** A hang-up that the carrier does not confirm within this is tried again: by the leg first, then by the call's id. */
export const HANG_UP_CONFIRM_MS = 5000
export const HANG_UP_TRIES_BY_LEG = 2
export const HANG_UP_TRIES = 4
/** From the end of the connection to its duration: a callback that has not come by then is taken for lost. */
export const ENDED_WAIT_MS = 5000
/** Wall-clock times of asking the carrier: each further wait doubles, up to the maximum, within the budget. */
export const ASK_AGAIN_MS = 1000
export const ASK_AGAIN_MAX_MS = 30_000
export const ASK_BUDGET_MS = 180_000
export const CARRIER_REQUEST_MS = 10_000
/** A carrier whose frames do not come for this long sends none in silence: silence is put in their place. */
export const FRAMES_MISSING_MS = 120
/** ... and one that sends them in silence too has a line that stalls: nothing is known of the callee's side since. */
export const FRAMES_UNHEARD_MS = 60
/** ... and its frames are waited for so long. */
export const FRAMES_LATE_MS = 1000
/** Where the carrier buffers what we send: filled up so far ahead of what it plays, once it has less than the least. */
export const AHEAD_MS = 160
export const AHEAD_LEAST_MS = 80

/** While the owner's phone rings, the callee is told again to wait after so long. */
export const RINGING_PROMPT_MS = 10_000
/** The owner's phone rings for so long. */
export const OWNER_ANSWER_MS = 30_000
/** An owner who has not accepted by key this long after picking up is hung up, as a mailbox is; asked again meanwhile. */
export const OWNER_ACCEPT_MS = 25_000
export const OWNER_ASKED_AGAIN_MS = 5000
/** With less of the hold left for both legs the owner is not rung. */
export const RING_IN_MIN_MS = 20_000
/** Live sound is so far ahead of what a carrier that buffers plays, at its beginning and at least. */
export const LIVE_LEAD_MS = 100
export const LIVE_LEAD_LEAST_MS = 60

/** A user who has taken over and sends no sound for this long (wall clock) is gone: the agent resumes. */
export const PERSON_GONE_MS = 5000

/** Longest wait that a mind may ask for, as for somebody who looks something up. */
export const WAIT_MAX_MS = 300_000

/** Wall-clock times of an observation, and of the one under way when the call ends. */
export const OBSERVING_MS = 20_000
export const LAST_OBSERVATION_MS = 2000

/** Wall-clock times after the leg is over: for the mind's conclusion, and less when the service stops. */
export const CONCLUSION_MS = 20_000
export const HURRIED_CONCLUSION_MS = 3000

export interface TimeLimits {
  /** The mind is told that time is nearly up. */
  readonly warnMs: number
  /** The server itself says goodbye. */
  readonly goodbyeMs: number
  /** The call is hung up, even in mid-sentence. */
  readonly hardEndMs: number
}

/** Since the answer; all inside the limit, also where the limit is very short. */
export function timeLimits(limitSeconds: number): TimeLimits {
  const limitMs = limitSeconds * 1000
  const hardEndMs = limitMs - Math.min(1000, limitMs * 0.05)
  const goodbyeMs = hardEndMs - Math.min(7000, limitMs * 0.25)
  return { hardEndMs, goodbyeMs, warnMs: goodbyeMs - Math.min(24_000, limitMs * 0.25) }
}
