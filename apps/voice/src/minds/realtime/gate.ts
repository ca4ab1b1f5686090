import { type Frame, FRAME_MS, levelDbm0 } from '@parley/voice-ports'

/** Sound below this is silence: what a vendor hears is paid for. */
const QUIET_DBM0 = -55
/** Silence that goes with speech, before and behind it. */
const BEFORE_FRAMES = 300 / FRAME_MS
const BEHIND_FRAMES = 1000 / FRAME_MS

/** Lets speech through with a little silence around it. */
export class Gate {
  #before: Frame[] = []
  #quietFrames = BEHIND_FRAMES

  /** The frames to send now. */
  push(frame: Frame): readonly Frame[] {
    if (levelDbm0(frame.audio) > QUIET_DBM0) this.#quietFrames = 0
    else this.#quietFrames++
    if (this.#quietFrames <= BEHIND_FRAMES) return [...this.#before.splice(0), frame]
    this.#before.push(frame)
    if (this.#before.length > BEFORE_FRAMES) this.#before.shift()
    return []
  }
}
