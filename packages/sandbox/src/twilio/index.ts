import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, voiceShape } from '@parley/voice-ports'
import { personaOf } from '../network/personas/index.ts'
import type { Speak } from '../network/sound.ts'
import { synthesize } from '../speech/synthetic.ts'
import { Account } from './account.ts'
import { Beat } from './media/beat.ts'
import type { FarCall } from './calls/call.ts'
import { monotonicClock } from './clock.ts'
import { FaultBoard } from './faults.ts'
import { newSid } from './formats.ts'
import { serve } from './rest/http.ts'
import { type Pickup, pickupOf } from './parties.ts'
import { Api } from './rest/routes.ts'
import { type Delivery, Webhooks } from './webhooks.ts'
import type { Timing, World } from './world.ts'

export type { FarCall } from './calls/call.ts'

export interface TwilioFarEndOptions {
  /** By default any free one. */
  readonly port?: number
  readonly accountSid?: string
  readonly authToken?: string
  /** Numbers of the account that calls may come from. */
  readonly numbers?: readonly string[]
  /** What a number does; null: what its persona does. */
  readonly answering?: (to: string) => Pickup | null
  /** The voice of the personas and of <Say>; by default unintelligible sounds as long as the words. */
  readonly speak?: Speak
  readonly timing?: Partial<Timing>
  /** Price of a started minute in USD. */
  readonly minutePrice?: number
  /** Whether a malformed message on a stream closes it (the default), or is only noted and counted. */
  readonly malformed?: 'closes' | 'warns'
  readonly clock?: Clock
}

/** Something that Twilio's debugger would show. */
interface Warning {
  readonly callSid: string
  readonly code: number
  readonly message: string
}

/** Twilio's Programmable Voice on this machine, in Twilio's wire format. */
export interface TwilioFarEnd {
  /** Where the REST API is, without a slash at its end. */
  readonly url: string
  readonly accountSid: string
  readonly authToken: string
  readonly apiKey: { readonly sid: string; readonly secret: string }
  /** One of the account's numbers. */
  readonly number: string
  /** Its money, numbers and permissions. */
  readonly account: Account
  readonly faults: FaultBoard
  /** Every call, oldest first. */
  readonly calls: readonly FarCall[]
  call(sid: string): FarCall | undefined
  /** Every attempt of a request to the customer, oldest first. */
  readonly deliveries: readonly Delivery[]
  readonly warnings: readonly Warning[]
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const TIMING: Timing = { setupMs: 20, ringMs: 60, verdictMs: 150, priceMs: 50 }
const MINUTE_PRICE = 0.014
const WARNINGS_MAX = 5000
const NUMBERS = ['+12025550000']

export async function startTwilioFarEnd(options: TwilioFarEndOptions = {}): Promise<TwilioFarEnd> {
  const { port = 0, accountSid = newSid('AC'), authToken = newSid('AC').slice(2) } = options
  const { clock = monotonicClock, speak = synthetic, numbers = NUMBERS, malformed = 'closes' } = options
  const apiKey = { sid: newSid('SK'), secret: newSid('AC').slice(2) }
  const account = new Account({ sid: accountSid, authToken, numbers })
  const webhooks = new Webhooks({ clock, authToken })
  const faults = new FaultBoard()
  const warnings: Warning[] = []
  const timing = { ...TIMING, ...options.timing }
  const world: World = {
    account,
    clock,
    beat: new Beat(clock),
    webhooks,
    faults,
    timing,
    speak,
    minutePrice: options.minutePrice ?? MINUTE_PRICE,
    malformed,
    pickup: (to) => options.answering?.(to) ?? pickupOf(personaOf(to), speak, timing.ringMs),
    warn(callSid, code, message) {
      warnings.push({ callSid, code, message })
      if (warnings.length > WARNINGS_MAX) warnings.shift()
    },
  }
  const api = new Api(world, [`${accountSid}:${authToken}`, `${apiKey.sid}:${apiKey.secret}`])
  const server = createServer((asked, response) => void serve(asked, response, (question) => api.answer(question)))
  await new Promise<void>((done, failed) => server.once('error', failed).listen(port, HOST, done))
  return {
    url: `http://${HOST}:${portOf(server.address())}`,
    accountSid,
    authToken,
    apiKey,
    number: numbers[0] ?? '',
    account,
    faults,
    get calls() {
      return [...api.calls.values()]
    },
    call: (sid) => api.calls.get(sid),
    deliveries: webhooks.log,
    warnings,
    async close() {
      for (const call of api.calls.values()) call.discard()
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await Promise.all([closed, webhooks.close()])
    },
  }
}

const synthetic: Speak = async function* (text, { voiceId }) {
  yield synthesize(text, voiceShape(voiceId))
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The far end does not listen on a port.')
  return address.port
}
