import { codes, type ERROR_STATUS } from './errors.ts'
import { z } from 'zod'

export type ErrorCode = keyof typeof ERROR_STATUS

export const ErrorCode = z.enum(codes)

/** Every answer that is not good: a code to act on and a sentence fit to show. */
export const ErrorReply = z
  .object({ code: ErrorCode, message: z.string(), field: z.string().optional() })
  .meta({ id: 'Error', description: 'What went wrong, in a sentence fit to show' })
export type ErrorReply = z.infer<typeof ErrorReply>
