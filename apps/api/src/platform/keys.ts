import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Key, type Keys, keysFor } from '@parley/contract/keys'

// What is made with a secret of this server names the key that made it, so that the secret can be rotated.

/** HMAC-SHA-256 in base64url. */
export function macOf({ secret }: Key, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}

/** A MAC behind the id of its key, where that has one. */
export function mark([first]: Keys, text: string): string {
  return first.id === null ? macOf(first, text) : `${first.id}.${macOf(first, text)}`
}

export function isMark(keys: Keys, text: string, shown: string): boolean {
  const [, id, given] = /^(?:(\d{1,8})\.)?([\w-]{43})$/.exec(shown) ?? []
  if (given === undefined) return false
  return keysFor(keys, id === undefined ? null : Number(id)).some((key) => isSame(given, macOf(key, text)))
}

/** Compares in constant time. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** An id that names the key of the digits derived from it. */
export function idForDigits([first]: Keys, id: string): string {
  return first.id === null ? id : `k${first.id}.${id}`
}

interface Digits {
  readonly use: string
  /** Made by idForDigits(). */
  readonly id: string
  readonly count: number
}

/** Digits to type, derived from an id: neither the database nor a job contains them. */
export function digitsOf(keys: Keys, wanted: Digits): string {
  return digitsBy(keysOfId(keys, wanted.id)[0], wanted)
}

export function areDigitsOf(keys: Keys, wanted: Digits, typed: string): boolean {
  return keysOfId(keys, wanted.id).some((key) => isSame(typed, digitsBy(key, wanted)))
}

function keysOfId(keys: Keys, id: string): Keys {
  const named = /(?:^|-)k(\d{1,8})\./.exec(id)?.[1]
  return keysFor(keys, named === undefined ? null : Number(named))
}

function digitsBy({ secret }: Key, { use, id, count }: Digits): string {
  const number = createHmac('sha256', secret).update(`${use}:${id}`).digest().readUIntBE(0, 6) % 10 ** count
  return String(number).padStart(count, '0')
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

function cipherKey({ secret }: Key, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', use, 32))
}

interface Sealed {
  /** Another key for each use. */
  readonly use: string
  /** Authenticated beside the text: what was sealed for one thing cannot be opened for another. */
  readonly about: string
}

/** `1.<text>` by a key without an id, `2.<id>.<text>` by another: base64url of nonce, tag and encrypted text. */
export function seal([first]: Keys, { use, about }: Sealed, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, cipherKey(first, use), nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(about))
  const hidden = Buffer.concat([cipher.update(text), cipher.final()])
  const bytes = Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url')
  return first.id === null ? `1.${bytes}` : `2.${first.id}.${bytes}`
}

/** Throws when no key on the list sealed it, it was sealed for something else, or it was altered. */
export function open(keys: Keys, sealed: Sealed, text: string): string {
  const [, id, hidden = ''] = /^(?:1|2\.(\d{1,8}))\.([\w-]+)$/.exec(text) ?? []
  let failure: unknown
  for (const key of keysFor(keys, id === undefined ? null : Number(id))) {
    try {
      return openWith(key, sealed, Buffer.from(hidden, 'base64url'))
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function openWith(key: Key, { use, about }: Sealed, bytes: Buffer): string {
  const decipher = createDecipheriv(CIPHER, cipherKey(key, use), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(about))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString()
}

/** Whether the first key sealed it. */
export function isSealedWithFirst([first]: Keys, text: string): boolean {
  return text.startsWith(first.id === null ? '1.' : `2.${first.id}.`)
}
