import { type CallReport, costOf, isFinal, rankOf } from '../causes.ts'
import type { Answered, Rest, TwilioClient } from './rest.ts'

/** A call as Twilio's API tells it. */
export interface KnownCall extends CallReport {
  readonly sid: string
  /** By Twilio's clock, ms since 1970. */
  readonly createdMs: number | null
  readonly startedMs: number | null
}

export interface CallOrderForTwilio {
  readonly to: string
  readonly from: string
  readonly twiml: string
  readonly statusCallback: string
  readonly ringSeconds: number
  readonly limitSeconds: number
  /** Null: no answering-machine detection. */
  readonly amdCallback: string | null
}

/** Newest first; more calls between two numbers within a minute do not happen. */
const LISTED = 20
const SID = /^CA[0-9a-f]{32}$/i

/** Whether a text may stand in a path as the id of a call. */
export const isCallSid = (text: string): boolean => SID.test(text)

/** The requests of a carrier, each once and within its deadline. All reject with TwilioError. */
export class TwilioCalls {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  async create(order: CallOrderForTwilio, signal?: AbortSignal): Promise<KnownCall> {
    const { value } = await this.#rest.ask(
      (client) =>
        client.calls
          .create({
            to: order.to,
            from: order.from,
            twiml: order.twiml,
            timeout: order.ringSeconds,
            timeLimit: order.limitSeconds,
            statusCallback: order.statusCallback,
            statusCallbackMethod: 'POST',
            statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
            ...(order.amdCallback !== null && {
              machineDetection: 'DetectMessageEnd',
              asyncAmd: 'true',
              asyncAmdStatusCallback: order.amdCallback,
              asyncAmdStatusCallbackMethod: 'POST',
            }),
          })
          .then(known),
      signal,
    )
    return value
  }

  fetch(sid: string, signal?: AbortSignal): Promise<Answered<KnownCall>> {
    return this.#rest.ask((client) => client.calls(sid).fetch().then(known), signal)
  }

  /** `canceled` leaves an answered call alone. */
  async hangUp(sid: string, status: 'completed' | 'canceled', signal?: AbortSignal): Promise<KnownCall> {
    const { value } = await this.#rest.ask((client) => client.calls(sid).update({ status }).then(known), signal)
    return value
  }

  async redirect(sid: string, twiml: string, signal?: AbortSignal): Promise<void> {
    await this.#rest.ask((client) => client.calls(sid).update({ twiml }).then(known), signal)
  }

  /** Latest first. */
  list(to: string, from: string, signal?: AbortSignal): Promise<Answered<KnownCall[]>> {
    // A queued call has no start time yet: who asks compares the times of creation.
    return this.#rest.ask(
      (client) => client.calls.list({ to, from, limit: LISTED, pageSize: LISTED }).then((calls) => calls.map(known)),
      signal,
    )
  }
}

type CallInstance = Awaited<ReturnType<ReturnType<TwilioClient['calls']>['fetch']>>

/** What the answer holds is not what its type promises: a proxy or a far end may have written it. */
function known(call: CallInstance): KnownCall {
  const { sid, duration, price, priceUnit, dateCreated, startTime } = call
  const status: unknown = call.status
  if (typeof sid !== 'string' || !isCallSid(sid) || typeof status !== 'string' || rankOf(status) === null)
    throw new Error('An answer of Twilio is no call.')
  return {
    sid,
    status,
    durationSeconds: isFinal(status) ? wholeSeconds(duration) : null,
    sipCode: null,
    errorCode: null,
    cost: costOf(price, priceUnit),
    createdMs: timeOf(dateCreated),
    startedMs: timeOf(startTime),
  }
}

/** Null for what is no count of seconds. */
function wholeSeconds(text: unknown): number | null {
  const value = typeof text === 'number' ? String(text) : text
  return typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : null
}

const timeOf = (value: unknown): number | null =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? value.getTime() : null

/** What a status callback tells. */
export function reportIn(form: URLSearchParams, status: string): CallReport {
  const sipCode = form.get('SipResponseCode') ?? ''
  const errorCode = form.get('ErrorCode') ?? ''
  return {
    status,
    durationSeconds: wholeSeconds(form.get('CallDuration')),
    sipCode: /^[1-6]\d\d$/.test(sipCode) ? sipCode : null,
    errorCode: /^\d{3,6}$/.test(errorCode) && errorCode !== '0' ? errorCode : null,
    cost: null,
  }
}
