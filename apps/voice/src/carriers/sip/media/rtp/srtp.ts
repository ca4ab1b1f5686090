import { Buffer } from 'node:buffer'
import {
  type Cipheriv,
  createCipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import { RTP_HEADER_BYTES, sequenceDistance } from './packet.ts'
import { ReplayWindow } from './replay-window.ts'

/**
 * SRTP and SRTCP with AES in counter mode and HMAC-SHA1 (RFC 3711), for the keys of SDES (RFC 4568, section 6.2). Both
 * suites authenticate SRTCP with 80 bits.
 */
export type SrtpSuite = 'AES_CM_128_HMAC_SHA1_80' | 'AES_CM_128_HMAC_SHA1_32'

export const MASTER_KEY_BYTES = 16
export const MASTER_SALT_BYTES = 14
const SALT_BYTES = 14
const AUTH_KEY_BYTES = 20
const BLOCK = 16
const RTCP_TAG_BYTES = 10
const RTCP_INDEX_BYTES = 4
const RTCP_CLEAR_BYTES = 8
/** The longest tag and index: what a buffer needs beyond the packet. */
export const PROTECTION_BYTES_MAX = RTCP_TAG_BYTES + RTCP_INDEX_BYTES
const BLOCKS_MAX = 96
/** Streams of one far end whose roll-over counters are kept. */
const STREAMS_MAX = 4

const RTP_TAG_BYTES = { AES_CM_128_HMAC_SHA1_80: 10, AES_CM_128_HMAC_SHA1_32: 4 } as const

/** AES counter mode: keystream of one key, made by one long-living cipher object. */
export class Keystream {
  readonly #cipher: Cipheriv
  readonly #salt: Buffer
  readonly #counters = Buffer.alloc(BLOCKS_MAX * BLOCK)

  constructor(key: Buffer, salt: Buffer) {
    this.#cipher = createCipheriv('aes-128-ecb', key, null)
    this.#cipher.setAutoPadding(false)
    this.#salt = salt
  }

  /**
   * `length` bytes for a packet of this source and index (RFC 3711, section 4.1.1: salt, source and index are added
   * in their places and the last 16 bits count).
   */
  of(ssrc: number, index: number, length: number): Buffer {
    const counters = this.#counters
    const blocks = Math.ceil(length / BLOCK)
    this.#salt.copy(counters, 0)
    counters.writeUInt32BE((counters.readUInt32BE(4) ^ ssrc) >>> 0, 4)
    counters.writeUInt16BE(counters.readUInt16BE(8) ^ Math.floor(index / 2 ** 32), 8)
    counters.writeUInt32BE((counters.readUInt32BE(10) ^ (index % 2 ** 32)) >>> 0, 10)
    counters.writeUInt16BE(0, 14)
    for (let block = 1; block < blocks; block++) {
      counters.copy(counters, block * BLOCK, 0, 14)
      counters.writeUInt16BE(block, block * BLOCK + 14)
    }
    return this.#cipher.update(counters.subarray(0, blocks * BLOCK))
  }

  apply(packet: Buffer, from: number, to: number, ssrc: number, index: number): void {
    if (to <= from) return
    const stream = this.of(ssrc, index, to - from)
    for (let i = from; i < to; i++) packet[i] = (packet[i] ?? 0) ^ (stream[i - from] ?? 0)
  }
}

/** Session keys (RFC 3711, section 4.3.1, with a key derivation rate of 0). */
export function deriveKey(masterKey: Buffer, masterSalt: Buffer, label: number, bytes: number): Buffer {
  const salt = Buffer.from(masterSalt)
  salt.writeUInt8(salt.readUInt8(7) ^ label, 7)
  return Buffer.from(new Keystream(masterKey, salt).of(0, 0, bytes).subarray(0, bytes))
}

interface Keys {
  readonly stream: Keystream
  readonly auth: KeyObject
}

function keysOf(masterKey: Buffer, masterSalt: Buffer, firstLabel: number): Keys {
  const derived = (offset: number, bytes: number) => deriveKey(masterKey, masterSalt, firstLabel + offset, bytes)
  return {
    stream: new Keystream(derived(0, MASTER_KEY_BYTES), derived(2, SALT_BYTES)),
    auth: createSecretKey(derived(1, AUTH_KEY_BYTES)),
  }
}

interface Stream {
  readonly ssrc: number
  readonly window: ReplayWindow
  /** Roll-over counter and sequence number of the newest packet. */
  highest: number
}

export type Verdict = 'valid' | 'replayed' | 'forged'

/** One direction's keys and state. Never throws on a packet. */
export class SrtpContext {
  readonly #rtp: Keys
  readonly #rtcp: Keys
  readonly #tagBytes: number
  readonly #rocBytes = Buffer.alloc(4)
  readonly #streams: Stream[] = []
  readonly #rtcpWindow = new ReplayWindow()
  #rtcpIndex = 0

  /** `keyAndSalt`: 16 bytes of master key, 14 of salt. */
  constructor(suite: SrtpSuite, keyAndSalt: Buffer) {
    const key = keyAndSalt.subarray(0, MASTER_KEY_BYTES)
    const salt = keyAndSalt.subarray(MASTER_KEY_BYTES, MASTER_KEY_BYTES + MASTER_SALT_BYTES)
    this.#rtp = keysOf(key, salt, 0)
    this.#rtcp = keysOf(key, salt, 3)
    this.#tagBytes = RTP_TAG_BYTES[suite]
  }

  #tag(packet: Buffer, length: number, roc: number): Buffer {
    this.#rocBytes.writeUInt32BE(roc)
    return createHmac('sha1', this.#rtp.auth).update(packet.subarray(0, length)).update(this.#rocBytes).digest()
  }

  /** Encrypts a packet of `length` bytes in its place and appends the tag. Returns the new length. */
  protect(packet: Buffer, length: number): number {
    const ssrc = packet.readUInt32BE(8)
    const sequence = packet.readUInt16BE(2)
    const stream = this.#streamOf(ssrc) ?? this.#keep(ssrc, sequence)
    const index = indexOf(stream, sequence)
    stream.highest = Math.max(stream.highest, index)
    this.#rtp.stream.apply(packet, RTP_HEADER_BYTES, length, ssrc, index)
    this.#tag(packet, length, Math.floor(index / 65_536)).copy(packet, length, 0, this.#tagBytes)
    return length + this.#tagBytes
  }

  /** The length of a packet without its tag; less than 0 when it is too short to have one. */
  lengthWithoutTag(length: number): number {
    return length - this.#tagBytes
  }

  /** Checks a packet and decrypts it in its place. `length` is without the tag. */
  unprotect(packet: Buffer, length: number, payloadStart: number): Verdict {
    const ssrc = packet.readUInt32BE(8)
    const sequence = packet.readUInt16BE(2)
    const known = this.#streamOf(ssrc)
    const index = known ? indexOf(known, sequence) : sequence
    if (known?.window.has(index)) return 'replayed'
    const tag = this.#tag(packet, length, Math.floor(index / 65_536)).subarray(0, this.#tagBytes)
    if (!timingSafeEqual(tag, packet.subarray(length, length + this.#tagBytes))) return 'forged'
    const stream = known ?? this.#keep(ssrc, index)
    stream.window.add(index)
    stream.highest = Math.max(stream.highest, index)
    this.#rtp.stream.apply(packet, payloadStart, length, ssrc, index)
    return 'valid'
  }

  #streamOf(ssrc: number): Stream | undefined {
    for (const stream of this.#streams) if (stream.ssrc === ssrc) return stream
    return undefined
  }

  /** Only for our own streams and packets that were authentic: nobody else can push a stream out. */
  #keep(ssrc: number, highest: number): Stream {
    const stream = { ssrc, window: new ReplayWindow(), highest }
    if (this.#streams.push(stream) > STREAMS_MAX) this.#streams.shift()
    return stream
  }

  /** A new, longer buffer: RTCP is rare. */
  protectRtcp(packet: Buffer): Buffer {
    const index = this.#rtcpIndex
    this.#rtcpIndex = (this.#rtcpIndex + 1) % 2 ** 31
    const whole = Buffer.alloc(packet.length + RTCP_INDEX_BYTES + RTCP_TAG_BYTES)
    packet.copy(whole)
    this.#rtcp.stream.apply(whole, RTCP_CLEAR_BYTES, packet.length, packet.readUInt32BE(4), index)
    whole.writeUInt32BE(index + 2 ** 31, packet.length)
    const end = packet.length + RTCP_INDEX_BYTES
    createHmac('sha1', this.#rtcp.auth).update(whole.subarray(0, end)).digest().copy(whole, end, 0, RTCP_TAG_BYTES)
    return whole
  }

  /** Checks a packet and decrypts it in its place; null when it is forged, replayed or none. */
  unprotectRtcp(packet: Buffer): Buffer | null {
    const end = packet.length - RTCP_TAG_BYTES
    const length = end - RTCP_INDEX_BYTES
    if (length < RTCP_CLEAR_BYTES || length > BLOCKS_MAX * BLOCK) return null
    const tag = createHmac('sha1', this.#rtcp.auth).update(packet.subarray(0, end)).digest().subarray(0, RTCP_TAG_BYTES)
    if (!timingSafeEqual(tag, packet.subarray(end))) return null
    const word = packet.readUInt32BE(length)
    const index = word % 2 ** 31
    if (this.#rtcpWindow.has(index)) return null
    this.#rtcpWindow.add(index)
    if (word >= 2 ** 31) this.#rtcp.stream.apply(packet, RTCP_CLEAR_BYTES, length, packet.readUInt32BE(4), index)
    return packet.subarray(0, length)
  }
}

/** The packet index nearest to the newest one, and never below 0 (RFC 3711, section 3.3.1, appendix A). */
function indexOf(stream: Stream, sequence: number): number {
  const index = stream.highest + sequenceDistance(stream.highest, sequence)
  return index < 0 ? sequence : index
}
