import type { Account, OwnNumber } from '../account.ts'
import { API_VERSION, type LiveCall } from '../calls/call.ts'
import { formatted, rfc2822 } from '../formats.ts'
import type { World } from '../world.ts'

const CALL_PARTS = [
  'notifications',
  'recordings',
  'payments',
  'events',
  'siprec',
  'streams',
  'transcriptions',
  'user_defined_message_subscriptions',
  'user_defined_messages',
]

/** A call as the REST API shows it: dates as RFC 2822, numbers as strings, null for what is not known or not so. */
export function callResource(call: LiveCall, world: World): Readonly<Record<string, unknown>> {
  const { account } = world
  const uri = `/${API_VERSION}/Accounts/${account.sid}/Calls/${call.sid}`
  return {
    sid: call.sid,
    date_created: rfc2822(call.createdAt),
    date_updated: rfc2822(call.updatedAt),
    parent_call_sid: call.order.parent,
    account_sid: account.sid,
    to: call.to,
    to_formatted: formatted(call.to),
    from: call.from,
    from_formatted: formatted(call.from),
    phone_number_sid: account.sidOf(call.from),
    status: call.status,
    start_time: call.startedAt && rfc2822(call.startedAt),
    end_time: call.endedAt && rfc2822(call.endedAt),
    // Empty for calls without an answer, and while they go on.
    duration: call.isOver && call.wasAnswered ? String(call.durationSeconds) : null,
    price: call.price === null ? null : (-call.price).toFixed(5),
    price_unit: 'USD',
    direction: call.order.parent === null ? 'outbound-api' : 'outbound-dial',
    answered_by: call.answeredBy,
    api_version: API_VERSION,
    forwarded_from: null,
    group_sid: null,
    caller_name: null,
    queue_time: '0',
    trunk_sid: null,
    uri: `${uri}.json`,
    subresource_uris: Object.fromEntries(CALL_PARTS.map((part) => [part, `${uri}/${pascal(part)}.json`])),
  }
}

const pascal = (name: string) => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const ACCOUNT_PARTS = ['available_phone_numbers', 'calls', 'incoming_phone_numbers', 'outgoing_caller_ids', 'balance']

export function accountResource(account: Account): Readonly<Record<string, unknown>> {
  const uri = `/${API_VERSION}/Accounts/${account.sid}`
  return {
    sid: account.sid,
    owner_account_sid: account.sid,
    auth_token: account.authToken,
    friendly_name: account.friendlyName,
    status: account.status,
    type: account.type,
    date_created: rfc2822(account.createdAt),
    date_updated: rfc2822(account.createdAt),
    uri: `${uri}.json`,
    subresource_uris: Object.fromEntries(ACCOUNT_PARTS.map((part) => [part, `${uri}/${pascal(part)}.json`])),
  }
}

export function callerIdResource(account: Account, callerId: OwnNumber): Readonly<Record<string, unknown>> {
  return {
    sid: callerId.sid,
    account_sid: account.sid,
    phone_number: callerId.number,
    friendly_name: callerId.friendlyName,
    date_created: rfc2822(callerId.since),
    date_updated: rfc2822(callerId.since),
    uri: `/${API_VERSION}/Accounts/${account.sid}/OutgoingCallerIds/${callerId.sid}.json`,
  }
}

export function numberResource(account: Account, own: OwnNumber): Readonly<Record<string, unknown>> {
  return {
    sid: own.sid,
    account_sid: account.sid,
    phone_number: own.number,
    friendly_name: own.friendlyName,
    address_sid: null,
    address_requirements: 'none',
    api_version: API_VERSION,
    beta: false,
    bundle_sid: null,
    capabilities: { voice: true, sms: false, mms: false, fax: false },
    date_created: rfc2822(own.since),
    date_updated: rfc2822(own.since),
    emergency_address_sid: null,
    emergency_address_status: 'unregistered',
    emergency_status: 'Inactive',
    identity_sid: null,
    origin: 'twilio',
    sms_application_sid: null,
    sms_fallback_method: 'POST',
    sms_fallback_url: '',
    sms_method: 'POST',
    sms_url: '',
    status: 'in-use',
    status_callback: '',
    status_callback_method: 'POST',
    trunk_sid: null,
    type: 'local',
    uri: `/${API_VERSION}/Accounts/${account.sid}/IncomingPhoneNumbers/${own.sid}.json`,
    voice_application_sid: null,
    voice_caller_id_lookup: false,
    voice_fallback_method: 'POST',
    voice_fallback_url: '',
    voice_method: 'POST',
    voice_receive_mode: 'voice',
    voice_url: '',
  }
}
