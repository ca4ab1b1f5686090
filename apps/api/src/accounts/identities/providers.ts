import type { Configuration } from 'openid-client'
import { z } from 'zod'

export type SignInMethod = 'Password' | 'Google' | 'Apple' | 'Passkey' | 'New password'

/** Google's OpenID configuration, fetched once; a failed fetch is not cached. */
export interface Google {
  configuration(): Promise<Configuration>
}

/** Apple sends booleans as true or 'true'. */
export const AppleClaims = z.object({
  sub: z.string().min(1),
  exp: z.number(),
  nonce: z.string().optional(),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.stringbool()]).default(false),
})
export type AppleClaims = z.output<typeof AppleClaims>

export interface Apple {
  /** Checks signature, issuer, audience and expiry. */
  verify(token: string): Promise<AppleClaims>
}
