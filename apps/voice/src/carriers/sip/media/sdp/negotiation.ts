import { randomInt } from 'node:crypto'
import { isIP } from 'node:net'
import { type Codec, MediaError, type SrtpMode } from '../../media-port.ts'
import { type SrtpSuite, SrtpContext } from '../rtp/srtp.ts'
import { type CryptoLine, newCryptoLine } from './crypto-line.ts'
import { type AudioDescription, type Direction, type Format, readDescription } from './read.ts'
import { writeAnswer, writeOffer } from './write.ts'

const PAYLOAD_TYPES = { pcmu: 0, pcma: 8 } as const
/** A dynamic payload type; this one is what most far ends use. */
const TELEPHONE_EVENT = 101
const SUITES: readonly SrtpSuite[] = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32']

export interface LocalMedia {
  readonly address: string
  readonly port: number
  readonly rtcpPort: number
  readonly codecs: readonly Codec[]
  readonly srtp: SrtpMode
}

/** What both ends agreed on. */
export interface Agreement {
  readonly remote: AudioDescription
  /** What we send. */
  readonly format: Format
  /** Payload types that may come, ours and theirs. */
  readonly incoming: readonly Format[]
  readonly incomingEvents: readonly number[]
  readonly rtcpMux: boolean
  readonly maySend: boolean
  /** Null: plain RTP. The same objects while the keys are the same. */
  readonly sealing: SrtpContext | null
  readonly opening: SrtpContext | null
}

interface KeyedContext {
  readonly line: CryptoLine
  readonly context: SrtpContext
}

/** The offers and answers of one leg (RFC 3264), with its keys (RFC 4568). */
export class Negotiation {
  readonly #local: LocalMedia
  readonly #sessionId = `${randomInt(2 ** 47)}`
  readonly #ownFormats: readonly Format[]
  #version = 0
  #keys: readonly CryptoLine[]
  #sealing: KeyedContext | null = null
  #opening: KeyedContext | null = null

  constructor(local: LocalMedia) {
    this.#local = local
    this.#ownFormats = local.codecs.map((codec) => ({ codec, payloadType: PAYLOAD_TYPES[codec] }))
    this.#keys = local.srtp === 'off' ? [] : SUITES.map((suite, at) => newCryptoLine(at + 1, suite))
  }

  #own(changes: { direction: Direction; rtcpMux: boolean; secure: boolean }) {
    const { address, port, rtcpPort } = this.#local
    return { sessionId: this.#sessionId, version: ++this.#version, address, port, rtcpPort, ...changes }
  }

  /**
   * SRTP that may be declined is offered under RTP/AVP: whoever does not know a=crypto passes over it, where RTP/SAVP
   * would be refused.
   */
  offer(): string {
    const own = this.#own({ direction: 'sendrecv', rtcpMux: true, secure: this.#local.srtp === 'required' })
    return writeOffer({ ...own, formats: this.#ownFormats, telephoneEvent: TELEPHONE_EVENT, crypto: this.#keys })
  }

  /** @throws MediaError when nothing in it can be used */
  accept(answer: string): Agreement {
    const remote = readDescription(answer)
    const chosen = remote.crypto.find(({ tag, suite }) =>
      this.#keys.some((line) => line.tag === tag && line.suite === suite),
    )
    this.#requireKeys(remote, chosen)
    const own = this.#keys.find(({ tag }) => tag === chosen?.tag)
    return this.#agree(remote, chosen, own, TELEPHONE_EVENT)
  }

  /** @throws MediaError when nothing in it can be used */
  answer(offer: string): { readonly sdp: string; readonly agreement: Agreement } {
    const remote = readDescription(offer)
    const chosen = this.#local.srtp === 'off' ? undefined : remote.crypto[0]
    this.#requireKeys(remote, chosen)
    const own = chosen && this.#ownKey(chosen)
    const agreement = this.#agree(remote, chosen, own, remote.telephoneEvent ?? TELEPHONE_EVENT)
    const base = this.#own({ direction: answering(remote), rtcpMux: remote.rtcpMux, secure: remote.secure })
    const { telephoneEvent } = remote
    const sdp = writeAnswer(
      { ...base, formats: usable(remote, this.#local.codecs), telephoneEvent, crypto: own ? [own] : [] },
      remote,
    )
    return { sdp, agreement }
  }

  /** Our key for this suite, under the tag of the offer. */
  #ownKey({ tag, suite }: CryptoLine): CryptoLine {
    const kept = this.#keys.find((line) => line.suite === suite) ?? newCryptoLine(tag, suite)
    return { ...kept, tag }
  }

  #requireKeys(remote: AudioDescription, chosen: CryptoLine | undefined): void {
    if (chosen) return
    if (this.#local.srtp === 'required')
      throw new MediaError('The far end has no SRTP that we know; this trunk requires it.')
    if (remote.secure) throw new MediaError('The far end requires SRTP, with no key that we can use.')
  }

  #agree(
    remote: AudioDescription,
    theirs: CryptoLine | undefined,
    ours: CryptoLine | undefined,
    events: number,
  ): Agreement {
    const formats = usable(remote, this.#local.codecs)
    const format = formats[0]
    if (!format) throw new MediaError(`The far end has none of our codecs (${this.#local.codecs.join(', ')}).`)
    if (isIP(remote.address) !== isIP(this.#local.address))
      throw new MediaError(`The far end's audio is at ${remote.address}, which ${this.#local.address} cannot reach.`)
    this.#sealing = keyed(this.#sealing, ours)
    this.#opening = keyed(this.#opening, theirs)
    return {
      remote,
      format,
      incoming: [...this.#ownFormats, ...formats],
      incomingEvents: remote.telephoneEvent === null ? [events] : [events, remote.telephoneEvent],
      rtcpMux: remote.rtcpMux,
      maySend: !remote.addressless && (remote.direction === 'sendrecv' || remote.direction === 'recvonly'),
      sealing: this.#sealing?.context ?? null,
      opening: this.#opening?.context ?? null,
    }
  }
}

/** Keeps a context, with its roll-over counter and replay window, while its key is the same. */
function keyed(before: KeyedContext | null, line: CryptoLine | undefined): KeyedContext | null {
  if (!line) return null
  if (before && before.line.suite === line.suite && before.line.key.equals(line.key)) return before
  return { line, context: new SrtpContext(line.suite, line.key) }
}

const usable = (remote: AudioDescription, codecs: readonly Codec[]): readonly Format[] =>
  remote.formats.filter(({ codec }) => codecs.includes(codec))

/** Our direction to theirs (RFC 3264, section 6.1). Hold by address leaves us nothing to send to. */
function answering({ direction, addressless }: AudioDescription): Direction {
  if (direction === 'inactive') return 'inactive'
  if (direction === 'sendonly' || addressless) return 'recvonly'
  return direction === 'recvonly' ? 'sendonly' : 'sendrecv'
}
