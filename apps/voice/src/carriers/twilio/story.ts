import type { Clock, LegEnd, LegEvent, MachineVerdict } from '@parley/voice-ports'

/** Tells each event of a leg once and in the order of the port, whatever order its signs come in. */
export class Story {
  readonly #clock: Clock
  readonly #tell: (event: LegEvent) => void
  #carrierCallId: string | null = null
  #rang = false
  #answeredMs: number | null = null
  #media = false
  #hungUpMs: number | null = null
  #ended = false

  constructor(clock: Clock, tell: (event: LegEvent) => void) {
    this.#clock = clock
    this.#tell = tell
  }

  get carrierCallId(): string | null {
    return this.#carrierCallId
  }

  get isAnswered(): boolean {
    return this.#answeredMs !== null
  }

  get isUp(): boolean {
    return this.#media
  }

  get isHungUp(): boolean {
    return this.#hungUpMs !== null
  }

  get isEnded(): boolean {
    return this.#ended
  }

  /** From the answer to the hang-up, or to now, by our clock. */
  get elapsedMs(): number {
    return this.#answeredMs === null ? 0 : Math.round((this.#hungUpMs ?? this.#clock.nowMs()) - this.#answeredMs)
  }

  placed(carrierCallId: string): void {
    if (this.isHungUp || this.#carrierCallId !== null) return
    this.#carrierCallId = carrierCallId
    this.#tell({ type: 'placed', carrierCallId })
  }

  ringing(): void {
    if (this.isHungUp || this.#rang) return
    this.#rang = true
    this.#tell({ type: 'ringing' })
  }

  answered(): void {
    if (this.isHungUp || this.#answeredMs !== null) return
    this.ringing()
    this.#answeredMs = this.#clock.nowMs()
    this.#tell({ type: 'answered' })
  }

  media(up: boolean): void {
    if (this.isHungUp || this.#media === up) return
    this.#media = up
    this.#tell({ type: 'media', state: up ? 'up' : 'down' })
  }

  /** Passes on what a live leg says. */
  live(event: Extract<LegEvent, { type: 'frame' | 'digit' | 'mark' | 'transfer_failed' }>): void {
    if (!this.isHungUp) this.#tell(event)
  }

  machine(verdict: MachineVerdict, detectedMs: number): void {
    if (this.isHungUp) return
    this.answered()
    this.#tell({ type: 'machine', verdict, atMs: Math.max(0, Math.min(detectedMs, this.elapsedMs)) })
  }

  hungUp(): void {
    if (this.isHungUp) return
    this.media(false)
    this.#hungUpMs = this.#clock.nowMs()
    this.#tell({ type: 'hung_up' })
  }

  ended(end: LegEnd): void {
    if (this.#ended) return
    this.hungUp()
    this.#ended = true
    this.#tell({ type: 'ended', ...end })
  }
}
