import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Hashes passwords at a thousandth of their cost, in the processes of tests alone, which import or preload it: a tenth
 * of a second each, they took a tenth of a run. What is stored of a password, and that an answer takes as long without
 * an account, are tests at the real cost.
 */
const LIGHT_COST = 16
const { scrypt } = crypto
let isLight = true

/** Whether passwords are hashed at the light cost now: a hash is verified at the cost that it was made at. */
export const hashesLightly = (): boolean => isLight

/** `false`: at the real cost from here on. */
export const hashLightly = (light: boolean): void => void (isLight = light)

type Scrypt = (...asked: Parameters<typeof scrypt>) => void

const atCost: Scrypt = (password, salt, length, options, done) =>
  scrypt(password, salt, length, isLight ? { ...options, N: LIGHT_COST } : options, done)

Object.assign(crypto, { scrypt: atCost })
syncBuiltinESMExports()
