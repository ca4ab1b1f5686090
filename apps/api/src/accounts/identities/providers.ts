import type { Configuration } from 'openid-client'
import { z } from 'zod'

export type SignInMethod = 'Password' | 'Google' | 'Apple' | 'Passkey' | 'New password'

/** Google as it describes itself, asked once; a failure is not kept. */
export interface Google {
  configuration(): Promise<Configuration>
}

/** Apple says true, or 'true'. */
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
