import {
  type Clock,
  decodeMulaw,
  encodeMulaw,
  type Frame,
  FRAME_MS,
  type LegEvent,
  mixMulaw,
} from '@parley/voice-ports'

/** Faults of real networks, for tests. Nothing in a running Parley can set them. */
export interface NetworkFaults {
  /** Frames arrive up to this much late, in order. */
  readonly jitterMs?: number
  /** Share of the callee's frames that never arrive, 0 to 1. */
  readonly loss?: number
  /** Discontinuous transmission: no frames while the callee is silent. */
  readonly dtx?: boolean
  /** Our voice comes back so much later and quieter. */
  readonly echo?: { readonly delayMs: number; readonly lossDb: number }
  /** `ended` never comes; ask() knows. */
  readonly losesEnded?: boolean
  /** So many hang-ups of each leg do nothing. */
  readonly failedHangUps?: number
  /** Every so many marks one is lost. */
  readonly losesMarkEvery?: number
}

interface PathOptions {
  readonly faults: NetworkFaults
  readonly clock: Clock
  readonly rng: () => number
  readonly emit: (event: LegEvent) => void
}

/** The way of a leg's sound and marks to us, with its faults. */
export class Path {
  readonly #options: PathOptions
  readonly #echoes: (Uint8Array | null)[] = []
  #arrivesMs = -Infinity
  #marks = 0

  constructor(options: PathOptions) {
    this.#options = options
  }

  mark(name: string): void {
    const { losesMarkEvery } = this.#options.faults
    if (losesMarkEvery === undefined || ++this.#marks % losesMarkEvery !== 0) this.#options.emit({ type: 'mark', name })
  }

  /** `played`: our own voice in the same 20 ms. */
  frame(frame: Frame, mediaMs: number, isSilent: boolean, played: Uint8Array | null): void {
    const { faults, clock, rng, emit } = this.#options
    const echo = this.#echo(played)
    if ((faults.dtx && isSilent && !echo) || (faults.loss !== undefined && rng() < faults.loss)) return
    const event: LegEvent = {
      type: 'frame',
      frame: echo ? { ...frame, audio: mixMulaw(frame.audio, echo) } : frame,
      mediaMs,
    }
    if (faults.jitterMs === undefined) return emit(event)
    this.#arrivesMs = Math.max(this.#arrivesMs, clock.nowMs() + faults.jitterMs * rng())
    clock.after(this.#arrivesMs - clock.nowMs(), () => emit(event))
  }

  #echo(played: Uint8Array | null): Uint8Array | null {
    const { echo } = this.#options.faults
    if (!echo) return null
    this.#echoes.push(played)
    if (this.#echoes.length <= echo.delayMs / FRAME_MS) return null
    const late = this.#echoes.shift() ?? null
    const factor = 10 ** (-echo.lossDb / 20)
    return late && encodeMulaw(Float64Array.from(decodeMulaw(late), (sample) => sample * factor))
  }
}
