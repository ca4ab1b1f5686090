import { sequenceDistance } from './packet.ts'

/** How often a far end may turn out to be elsewhere than it said. */
const CHANGES_MAX = 3

/**
 * Symmetric RTP: who may send to us, and where we send to. The address of the SDP holds. Where nothing came from
 * it, two valid packets in sequence from elsewhere, as from behind a NAT, put their source in its place; after that
 * only the stream that was learned may move on.
 */
export class MediaSource {
  readonly #signalled: { readonly address: string; readonly port: number }
  #address: string
  #port: number
  #confirmed = false
  #changes = 0
  #candidateAddress = ''
  #candidatePort = 0
  #candidateSsrc = -1
  #candidateNext = -1

  constructor(address: string, port: number) {
    this.#signalled = { address, port }
    this.#address = address
    this.#port = port
  }

  get address(): string {
    return this.#address
  }

  get port(): number {
    return this.#port
  }

  get changes(): number {
    return this.#changes
  }

  isSignalled(address: string, port: number): boolean {
    return address === this.#signalled.address && port === this.#signalled.port
  }

  isCurrent(address: string, port: number): boolean {
    return port === this.#port && address === this.#address
  }

  /** Whether a packet from there is worth looking at: asked before any cryptography. */
  isPossible(address: string, port: number): boolean {
    if (this.isCurrent(address, port)) return true
    return !(this.#confirmed && this.isSignalled(this.#address, this.#port)) && this.#changes < CHANGES_MAX
  }

  /**
   * A valid packet has come from there. False: it is not (yet) of our far end.
   * @param ownSsrc the stream that we take now; null before the first packet
   */
  take(address: string, port: number, ssrc: number, sequence: number, ownSsrc: number | null): boolean {
    if (this.isCurrent(address, port)) {
      this.#confirmed = true
      return true
    }
    if (!this.isPossible(address, port)) return false
    if (this.#confirmed && ssrc !== ownSsrc && !this.isSignalled(address, port)) return false
    const follows =
      address === this.#candidateAddress &&
      port === this.#candidatePort &&
      ssrc === this.#candidateSsrc &&
      sequenceDistance(this.#candidateNext, sequence) === 0
    this.#candidateAddress = address
    this.#candidatePort = port
    this.#candidateSsrc = ssrc
    this.#candidateNext = (sequence + 1) & 0xffff
    if (!follows) return false
    this.#address = address
    this.#port = port
    this.#confirmed = true
    this.#changes++
    return true
  }
}
