import { z } from 'zod'

export const Id = z.string().min(1).max(64)
export const IdParams = z.object({ id: Id })

/** ISO 8601 in UTC, as Date.toISOString() writes it. */
export const Instant = z.iso.datetime()

/** The sentence of forms and of the API for missing fields. */
export const FILL_IN_REQUIRED = 'Please fill in all required fields.'
export const EMAIL_INVALID = 'Please enter a valid email address'

export const Email = z.email(EMAIL_INVALID).max(254)

/** A phone number in E.164: plus sign, country code, at most 15 digits. */
export const E164 = z.string().regex(/^\+[1-9]\d{6,14}$/)

/** Text of a phone field; the calling rules turn it into E.164. */
export const PhoneInput = z.string(FILL_IN_REQUIRED).trim().min(1, FILL_IN_REQUIRED).max(40)

/** Webhook URLs are checked again, by resolved address, at every use. */
export const WebUrl = z.url({ protocol: /^https?$/ }).max(2000)

export const LIST_LIMIT_DEFAULT = 50
export const LIST_LIMIT_MAX = 200
/** The limit of an uploaded file of numbers or contacts. */
export const LIST_FILE_MAX_BYTES = 10 * 1024 * 1024

/** Pages of a list, newest first. The cursor is opaque: send back what X-Next-Cursor said. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(LIST_LIMIT_MAX).default(LIST_LIMIT_DEFAULT),
  cursor: z.string().max(200).optional(),
})
export type PageQuery = z.infer<typeof PageQuery>

export const MessageReply = z.object({ message: z.string() }).meta({ id: 'Message' })

/** Values a text field may have; an empty string counts as none. */
export function optionalText(maxLength: number) {
  return z
    .string()
    .trim()
    .max(maxLength)
    .nullish()
    .transform((text) => (text === '' ? null : text))
}
