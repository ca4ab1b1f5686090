import { isPhoneNumber } from '@parley/voice-ports'
import { explainTwilioCode } from './explain.ts'
import { createRest, type Rest, type TwilioAccess, TwilioError } from './api/rest.ts'

export interface TwilioCheckOptions extends TwilioAccess {
  readonly fromNumber: string
  /** PUBLIC_VOICE_URL */
  readonly publicUrl: string | null
}

type TwilioCheck =
  | { readonly ok: true; readonly detail: string }
  | { readonly ok: false; readonly problem: string; readonly mend: string }

const wrong = (problem: string, mend: string): TwilioCheck => ({ ok: false, problem, mend })

const LOOPBACK = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$)/i

/** Whether calls can be placed with these settings; asks Twilio, and changes nothing there. Never rejects. */
export async function checkTwilio(options: TwilioCheckOptions, signal: AbortSignal): Promise<TwilioCheck> {
  const mistake = inSettings(options) ?? inAddress(options)
  if (mistake) return mistake
  try {
    return await checkAccount(options, signal)
  } catch (error) {
    return refusal(error)
  }
}

function inSettings({ accountSid, authToken, apiKey, fromNumber }: TwilioCheckOptions): TwilioCheck | null {
  if (!/^AC[0-9a-f]{32}$/i.test(accountSid))
    return wrong('The Twilio account SID is not "AC" and 32 digits.', 'Copy it from the dashboard of the console.')
  if (authToken === null && apiKey === null)
    return wrong(
      'There is neither a Twilio auth token nor an API key.',
      'Set the auth token, or an API key and its secret.',
    )
  if (apiKey !== null && !/^SK[0-9a-f]{32}$/i.test(apiKey.sid))
    return wrong('The SID of the Twilio API key is not "SK" and 32 digits.', 'Copy it from API keys & tokens.')
  if (!isPhoneNumber(fromNumber))
    return wrong('The caller number is no phone number.', 'Write it with its country code, as +12125550100.')
  return null
}

function inAddress({ publicUrl, apiBase }: TwilioCheckOptions): TwilioCheck | null {
  const mend = 'Set PUBLIC_VOICE_URL to the https address under which Twilio reaches this voice service.'
  if (publicUrl === null) return wrong('Twilio does not know where to reach this voice service.', mend)
  if (/^https:\/\//i.test(publicUrl) || (apiBase !== null && LOOPBACK.test(apiBase))) return null
  return wrong('PUBLIC_VOICE_URL is not https: Twilio opens no media stream to it.', mend)
}

async function checkAccount(options: TwilioCheckOptions, signal: AbortSignal): Promise<TwilioCheck> {
  const { accountSid, authToken, apiKey, fromNumber } = options
  // A standard API key may not read the account: the auth token does, where there is one.
  const account = await readAccount(
    createRest(authToken === null ? options : { ...options, apiKey: null }),
    options,
    signal,
  )
  if (account && account.status !== 'active') {
    const { what, whereToMend } = explainTwilioCode(20_403)
    return wrong(`${what} Its status is "${account.status}".`, whereToMend)
  }
  const owner = await ownerOf(fromNumber, createRest(options), signal)
  if (owner === null) {
    const { what, whereToMend } = explainTwilioCode(21_210)
    return wrong(what, whereToMend)
  }
  const notes = [
    account?.type === 'Trial' && 'It is a trial account, which calls verified numbers only.',
    authToken === null && 'Callbacks are not signed, since there is no auth token.',
    account === null && apiKey !== null && 'The API key may not read the account, so its state is not known.',
  ].filter((note) => note !== false)
  const detail = `Account ${accountSid.slice(0, 6)}… calls from ${owner} number.`
  return { ok: true, detail: [detail, ...notes].join(' ') }
}

interface Account {
  readonly status: string
  readonly type: string
}

/** Null: this key may not read it. */
async function readAccount(
  rest: Rest,
  { accountSid, authToken }: TwilioCheckOptions,
  signal: AbortSignal,
): Promise<Account | null> {
  try {
    const { value } = await rest.ask((client) => client.api.v2010.accounts(accountSid).fetch(), signal)
    return { status: value.status, type: value.type }
  } catch (error) {
    if (authToken === null && error instanceof TwilioError && [401, 403, 404].includes(error.status)) return null
    throw error
  }
}

/** Whose the caller number is, in words; null: nobody's. */
async function ownerOf(phoneNumber: string, rest: Rest, signal: AbortSignal): Promise<string | null> {
  const owned = await rest.ask((client) => client.incomingPhoneNumbers.list({ phoneNumber, limit: 1 }), signal)
  if (owned.value.some((number) => number.phoneNumber === phoneNumber)) return 'its own'
  const verified = await rest.ask((client) => client.outgoingCallerIds.list({ phoneNumber, limit: 1 }), signal)
  return verified.value.some((number) => number.phoneNumber === phoneNumber) ? 'a verified' : null
}

function refusal(error: unknown): TwilioCheck {
  if (!(error instanceof TwilioError) || error.status === 0)
    return wrong(
      'Twilio could not be asked.',
      'Let this machine reach api.twilio.com over https, or check TWILIO_API_BASE.',
    )
  const { what, whereToMend } = explainTwilioCode(error.twilioCode ?? (error.status === 401 ? 20_003 : error.status))
  return wrong(what, whereToMend)
}
