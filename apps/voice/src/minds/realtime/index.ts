import { randomUUID } from 'node:crypto'
import type { Check } from '@parley/contract/checks'
import type { Asked, Clock, Ear, Mind, MindEvent } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { Calls, earOf } from './calls.ts'
import { concluded, reportOf } from './conclusion.ts'
import type { Output } from './line.ts'
import { GeminiLine } from './gemini/line.ts'
import { OpenaiLine } from './openai/line.ts'
import { replyOf, usedReplies } from './reply.ts'
import { vendorCheck } from './vendor-check.ts'

export { RULES } from './instructions.ts'

export interface RealtimeOptions {
  readonly provider: 'openai' | 'google'
  readonly model: string
  readonly apiKey: string
  /** With its version, without a slash at its end. */
  readonly baseUrl: string
  readonly output: Output
  readonly voice: string
  /** Of the callee's words. */
  readonly earModel: string
  readonly clock: Clock
  readonly log: Logger
  /** Goes on with a call whose vendor is lost. */
  readonly fallback: Mind
}

export interface Realtime {
  /** Of one call, this is the mind's session too. */
  readonly ear: Ear
  readonly mind: Mind
  readonly check: Check
  /** Calls with a session at the vendor. */
  readonly count: () => number
}

const SETTLES_WITHIN_MS = 2000

/** Ear and mind in one: the vendor hears the callee itself, and our turns decide when it speaks. */
export function createRealtime(options: RealtimeOptions): Realtime {
  const { provider, model, apiKey, output, voice, earModel, clock, log, fallback } = options
  const name = `${provider} ${model}`
  const url = socketOf(options)
  const both = { url, apiKey, output, voice, clock, log }
  const open = () =>
    provider === 'openai'
      ? new OpenaiLine({ ...both, earModel })
      : new GeminiLine({ ...both, model, settlesWithinMs: SETTLES_WITHIN_MS })
  const calls = new Calls(open, clock)

  async function* respond(asked: Asked, signal: AbortSignal): AsyncGenerator<MindEvent> {
    if (signal.aborted) return
    const { callId } = asked.order
    if (!calls.isLost(callId)) {
      let isSpoken = false
      try {
        const line = calls.of(callId)
        for await (const event of replyOf({ line, asked, signal, replyId: randomUUID(), model })) {
          isSpoken ||= event.type === 'say' || event.type === 'sound'
          if (event.type === 'sound') calls.remember(callId, event.itemId)
          yield event
        }
        if (!signal.aborted) calls.replied(callId, true)
        return
      } catch (error) {
        if (signal.aborted) return
        calls.replied(callId, false)
        // The session asks again, and the next reply may come from the fallback.
        if (isSpoken || !calls.isLost(callId)) throw error
        log.error({ mind: name, err: error }, 'the realtime vendor is lost: the call goes on without it')
      }
    }
    yield* withoutVendor(asked, fallback, signal)
  }

  const mind: Mind = {
    name,
    respond,
    // Rules find an opt-out and a change of language in the words, at no cost.
    ...(fallback.observe && { observe: fallback.observe.bind(fallback) }),
    async conclude(ended, signal) {
      const { callId } = ended.order
      try {
        if (ended.turns.length === 0 || calls.isLost(callId)) return await fallback.conclude(ended, signal)
        return concluded(ended, await calls.of(callId).write(reportOf(ended), signal))
      } catch (error) {
        if (signal.aborted) throw error
        log.warn({ mind: name, err: error }, 'no report of the model: rules conclude')
        return await fallback.conclude(ended, signal)
      } finally {
        calls.close(callId)
      }
    },
    heard: (itemId, heardMs) => calls.made(itemId)?.heard(itemId, heardMs),
    dropped: (itemId) => calls.made(itemId)?.dropped(itemId),
  }
  const check = vendorCheck({ provider, model, apiKey, baseUrl: options.baseUrl })
  return { ear: earOf(name, SETTLES_WITHIN_MS, calls), mind, check, count: () => calls.count }
}

const GEMINI = 'google.ai.generativelanguage'

function socketOf({ provider, baseUrl, model }: RealtimeOptions): string {
  const address = new URL(baseUrl.replace(/^http/, 'ws'))
  if (provider === 'openai') return `${address.href}/realtime?model=${encodeURIComponent(model)}`
  const version = address.pathname.slice(1) || 'v1beta'
  return `${address.origin}/ws/${GEMINI}.${version}.GenerativeService.BidiGenerateContent`
}

const SORRY: Readonly<Record<string, string>> = {
  en: "I'm sorry, I had a technical problem.",
  es: 'Perdone, he tenido un problema técnico.',
  fr: 'Excusez-moi, j’ai eu un problème technique.',
  de: 'Entschuldigung, ich hatte ein technisches Problem.',
}

/** Says so once, and goes on. */
async function* withoutVendor(asked: Asked, fallback: Mind, signal: AbortSignal): AsyncGenerator<MindEvent> {
  const isFirst = usedReplies(asked.memory).length > 0
  if (isFirst) yield { type: 'say', text: `${SORRY[asked.language.slice(0, 2)] ?? SORRY['en']} ` }
  yield* fallback.respond(isFirst ? { ...asked, memory: undefined } : asked, signal)
}
