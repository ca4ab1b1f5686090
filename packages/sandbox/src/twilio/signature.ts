import { createHmac } from 'node:crypto'

/**
 * X-Twilio-Signature: HMAC-SHA1 of the URL and the form's parameters by name, in Base64 (Twilio, "Webhooks security").
 * Written anew, so that a carrier that checks with the vendor's package is checked by another hand.
 */
export function signatureOf(authToken: string, url: string, form: URLSearchParams = new URLSearchParams()): string {
  const names = [...new Set(form.keys())].toSorted((a, b) => (a < b ? -1 : 1))
  const text = names.flatMap((name) => [...new Set(form.getAll(name))].toSorted().map((value) => name + value)).join('')
  return createHmac('sha1', authToken)
    .update(url + text, 'utf8')
    .digest('base64')
}
