import { SHELL_PLATFORMS } from '../accounts/shells.ts'
import { Id } from '../common-shapes.ts'
import type { Language } from '../languages.ts'
import { z } from 'zod'

const SPOKEN = ['en', 'es'] as const satisfies readonly Language[]

export const NewDevice = z
  .object({
    platform: z.enum(SHELL_PLATFORMS),
    token: z.string().trim().min(16).max(4096).describe("Apple's device token in hexadecimal, or Firebase's"),
    language: z.enum(SPOKEN).describe('Of its notifications'),
  })
  .meta({ id: 'NewDevice' })

export const Device = z
  .object({
    id: Id,
    reached: z
      .boolean()
      .describe('Whether this server has keys for the push service of the platform; else it sends none'),
  })
  .meta({ id: 'Device' })
export type Device = z.infer<typeof Device>
