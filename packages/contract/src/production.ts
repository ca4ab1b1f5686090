import { z } from 'zod'
import { type Keys, nameOf } from './keys.ts'

// What api and voice refuse alike where real people use the product.

export const productionVariables = {
  PARLEY_ENV: z.enum(['development', 'production']).default('development').meta({
    description:
      '`production`: a start refuses settings that are dangerous there, and the schema of DATABASE_URL is changed by `npm run migrate` alone',
  }),
} as const

const DISTINCT_MIN = 10
const FROM_EXAMPLES = /change.?me|example|password|secret/i

/** A sentence about each secret that may be guessed. */
export function weaknessesOf(variable: string, keys: Keys): string[] {
  return keys.flatMap((key) => {
    const why = FROM_EXAMPLES.test(key.secret)
      ? 'reads like one of an example'
      : new Set(key.secret).size < DISTINCT_MIN
        ? 'has hardly any different characters'
        : undefined
    return why === undefined ? [] : [`${nameOf(variable, key)} ${why}. Make one with "npm run generate-secrets".`]
  })
}

/** One sentence where real calls are expected and nobody said which network places them. */
export function unsaidCarrier(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const isSaid = environment['CARRIER'] !== undefined && environment['CARRIER'] !== ''
  return isSaid
    ? undefined
    : 'CARRIER is not set, and without it no call reaches a real phone. Set it to twilio or sip, or say CARRIER=simulated.'
}
