import {
  BOOT_HEADER,
  CallCommand,
  CallOrder,
  type CallStanding,
  ERROR_STATUS,
  type Liveness,
  PROBE_PATHS,
  type Readiness,
  isTestNumber,
  VerificationOrder,
  SummaryWanted,
  NewReading,
  VOICE_PATHS,
  type ErrorCode,
  type ErrorReply,
  type OrderTaken,
  type Readings,
  type VoiceHealth,
} from '@parley/contract'
import { readMandates } from '@parley/offline-mind'
import { readTraceparent, type SpanContext, TRACEPARENT_HEADER } from '@parley/traces'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from './context.ts'
import { phoneState } from './checks.ts'
import { addCarrierQuestions, mountCarrier } from './carrier-routes.ts'
import { Credentials } from './credentials.ts'
import { addSoundSockets } from './sound.ts'
import { VoiceMetrics, type VoiceState } from './metrics/metrics.ts'
import { voicePreviews } from './preview.ts'
import { unitPrices } from './prices.ts'
import { Calls, type Taken } from './session/call/calls.ts'
import { summariseAgain } from './session/call/wrap-up.ts'
import { Report } from './session/reporting/report.ts'
import type { CallSession } from './session/call/session.ts'
import { carrierFiguresOf } from './telephony.ts'
import { CallTrace } from './traces/call-trace.ts'

const BODY_MAX_BYTES = 256 * 1024
/** The longest id of a carrier, also where every character of it is escaped. */
const PARAM_MAX_LENGTH = 600
const RETRY_AFTER_SECONDS = 5
const CallParams = z.object({ id: z.string() })

export interface App {
  readonly server: FastifyInstance
  readonly calls: Calls
  readonly metrics: VoiceMetrics
}

export function createApp(context: Context): App {
  const { config, log } = context
  const credentials = new Credentials(config.keys)
  const prices = unitPrices(config.prices)
  const metrics = new VoiceMetrics()
  const calls = new Calls(config.capacity, context.journal, ({ callId, token }, order) => {
    credentials.keep(callId, token)
    const trace = new CallTrace({ traces: context.traces, callId, order, speed: context.clock.speed })
    return {
      ...context,
      log: trace.logOf(context.log),
      report: reportOf(context, metrics, trace, { callId, token }),
      onTook: (stage, delayMs) => {
        metrics.took(stage, delayMs)
        trace.took(stage, delayMs)
      },
      recordingOf: (id) => context.spool.sinkFor(id, token),
      webhookBase: config.publicUrl,
      prices,
      costCapMicros: config.costCapMicros,
    }
  })
  metrics.watch(() => stateOf(context, calls))
  const server = fastify({
    bodyLimit: BODY_MAX_BYTES,
    logger: false,
    routerOptions: { maxParamLength: PARAM_MAX_LENGTH },
  })
  server.setErrorHandler((error: { readonly statusCode?: number }, _, reply) => {
    if (error.statusCode === 413) return refuse(reply, 'too_large', 'The order is too large.')
    if (error.statusCode !== undefined && error.statusCode < 500)
      return refuse(reply, 'invalid_json', 'The body is not JSON.')
    log.error({ err: error }, 'request failed')
    return refuse(reply, 'internal', 'Something went wrong in the voice service.')
  })
  server.setNotFoundHandler((_, reply) => refuse(reply, 'not_found', 'There is nothing here.'))
  server.get(VOICE_PATHS.health, (_, reply) => health(context, calls, reply))
  server.get(PROBE_PATHS.livez, (): Liveness => ({ status: 'ok' }))
  server.get(PROBE_PATHS.readyz, (_, reply) => readiness(context, calls, reply))
  void server.register((routes, _, done) => {
    routes.addHook('onRequest', (request, reply, next) => {
      reply.header(BOOT_HEADER, context.bootId)
      const { id = '' } = CallParams.partial().parse(request.params)
      const ofCall = request.routeOptions.url === VOICE_PATHS.commands
      if (ofCall ? credentials.opens(request, id) : credentials.isSecret(request)) next()
      else void refuse(reply, 'unauthenticated', 'The secret of the service or the token of the call is wrong.')
    })
    routes.post(VOICE_PATHS.calls, (request, reply) => takeOrder(context, calls, request, reply))
    routes.post(VOICE_PATHS.verifications, (request, reply) => takeVerification(context, calls, request, reply))
    routes.post(VOICE_PATHS.commands, (request, reply) => command(calls, request, reply))
    routes.get(VOICE_PATHS.call, (request, reply) => {
      const { id } = CallParams.parse(request.params)
      // Its last facts are still to come from the spool.
      const standing = context.facts.isLeft(id) ? 'over' : calls.standing(id)
      if (standing === 'never') return refuse(reply, 'not_found', 'This call was never here.')
      const answer: CallStanding = { standing }
      return answer
    })
    routes.post(VOICE_PATHS.summaries, (request, reply) => summarise(context, request, reply))
    routes.get(VOICE_PATHS.checks, async () => ({ parts: await context.checks.look() }))
    routes.post(VOICE_PATHS.reading, (request, reply) => read(request, reply))
    routes.get(VOICE_PATHS.voicePreview, voicePreviews(context))
    addCarrierQuestions(routes, context)
    done()
  })
  const takesSocket = mountCarrier(server, context)
  addSoundSockets(server, { calls, takesSocket, pickUp: context.pickUp, credentials })
  return { server, calls, metrics }
}

/** To the api, with the ends of calls counted and their spans made. */
function reportOf(
  { config, clock, log, facts }: Context,
  metrics: VoiceMetrics,
  trace: CallTrace,
  { callId, token }: { readonly callId: string; readonly token: string | undefined },
): Report {
  const { traceparent } = trace
  return new Report({
    apiUrl: config.apiUrl,
    credential: token ?? config.keys[0].secret,
    callId,
    traceparent,
    clock,
    log: trace.logOf(log),
    store: facts.storeFor(callId, { token, traceparent }),
    onFact: (fact) => {
      if (fact.type === 'ended') metrics.ended(fact.reason)
      trace.fact(fact)
    },
  })
}

function stateOf({ config, carrier, traces }: Context, calls: Calls): VoiceState {
  const carriers = Object.entries(carrierFiguresOf(carrier)).map(
    ([name, { attempts, failures, circuit }]) =>
      [name, { attempts, failures, isPassedOver: circuit !== 'closed' }] as const,
  )
  return {
    calls: calls.count,
    capacity: config.capacity,
    isDraining: calls.status === 'draining',
    spansLost: traces.lost,
    carriers: Object.fromEntries(carriers),
  }
}

const DEAF = 'Nothing here understands what is said on a real line.'

/** Whether the callee's words would be understood: those of the simulated network travel beside the sound. */
function isHeard({ config: { telephony }, hearsRealLines }: Context, callee: string): boolean {
  return !telephony.isReal || hearsRealLines || (telephony.testNumbers && isTestNumber(callee))
}

function takeOrder(context: Context, calls: Calls, request: FastifyRequest, reply: FastifyReply) {
  if (isForAnother(context, request)) return refuse(reply, 'conflict', NOT_THIS_PROCESS)
  const order = CallOrder.safeParse(request.body)
  if (!order.success) return refuse(reply, 'invalid_input', `The order is not valid: ${z.prettifyError(order.error)}`)
  if (!isHeard(context, order.data.callee)) return refuse(reply, 'not_permitted', DEAF)
  const taken = beginCall(context, request, order.data, (trace) => calls.take(order.data, trace))
  return answerTo(taken, order.data.callId, context, reply)
}

/** Nothing needs to be understood in such a call, so that a deaf service places it too. */
function takeVerification(context: Context, calls: Calls, request: FastifyRequest, reply: FastifyReply) {
  if (isForAnother(context, request)) return refuse(reply, 'conflict', NOT_THIS_PROCESS)
  const order = VerificationOrder.safeParse(request.body)
  // Its issues could hold the code.
  if (!order.success) return refuse(reply, 'invalid_input', 'The order is not valid.')
  const taken = beginCall(context, request, order.data, (trace) => calls.announce(order.data, trace))
  return answerTo(taken, order.data.callId, context, reply)
}

/** Within the span of the order, which the spans of the call are children of. */
function beginCall(
  { traces, log }: Context,
  request: FastifyRequest,
  { callId, callee }: Pick<CallOrder, 'callId' | 'callee'>,
  begin: (trace: SpanContext | undefined) => Taken,
): Taken {
  const parent = readTraceparent(request.headers[TRACEPARENT_HEADER]) ?? null
  const span = traces.begin('order', { kind: 'server', parent, attributes: { 'parley.call_id': callId } })
  try {
    const taken = begin(span.context)
    span.add({ 'parley.order': taken })
    log.info({ callId, traceId: span.context?.traceId, calleePii: callee, taken }, 'order')
    return taken
  } finally {
    span.end()
  }
}

const NOT_THIS_PROCESS = 'The order is for an earlier process of this node.'

/** The lease is of a process that is gone: this one would dial a call that is settled as lost when it joins. */
function isForAnother({ bootId }: Context, request: FastifyRequest): boolean {
  return (request.headers[BOOT_HEADER] ?? bootId) !== bootId
}

function answerTo(taken: Taken, callId: string, { clock }: Context, reply: FastifyReply) {
  if (taken === 'full' || taken === 'draining') {
    return refuse(reply.header('retry-after', RETRY_AFTER_SECONDS), 'unavailable', `The voice service is ${taken}.`)
  }
  const answer: OrderTaken = { callId, clockSpeed: clock.speed }
  return reply.code(202).send(answer)
}

/** By the offline mind's rules, which give the same answer each time and take no vendor. */
function read(request: FastifyRequest, reply: FastifyReply) {
  const order = NewReading.safeParse(request.body)
  if (!order.success) return refuse(reply, 'invalid_input', `The order is not valid: ${z.prettifyError(order.error)}`)
  const answer: Readings = { objectives: readMandates(order.data) }
  return answer
}

function command(calls: Calls, request: FastifyRequest, reply: FastifyReply) {
  const told = CallCommand.safeParse(request.body)
  if (!told.success) return refuse(reply, 'invalid_input', `The command is not valid: ${z.prettifyError(told.error)}`)
  const session = calls.live(CallParams.parse(request.params).id)
  if (!session) return refuse(reply, 'not_found', 'No such call is live.')
  const answer = obey(session, told.data)
  switch (answer) {
    case 'no_time':
      return refuse(reply, 'insufficient_credits', 'What is held for the call does not pay for a second phone.')
    case 'not_now':
    case false:
      return refuse(reply, 'conflict', 'The call cannot do this now.')
    case 'rings':
    case true:
      return reply.code(202).send({})
  }
}

/** Returns false when the command needs an answered call. */
function obey(session: CallSession, command: CallCommand): boolean | ReturnType<CallSession['ringIn']> {
  switch (command.type) {
    case 'stop':
      session.stop('stopped')
      return true
    case 'say':
      session.instruct(command.text)
      return true
    case 'press':
      return session.press(command.digits)
    case 'take_over':
      return session.letSpeak('person')
    case 'hand_back':
      return session.letSpeak('agent')
    case 'ring_in':
      return command.to === 'browser' ? session.letSpeak('person') : session.ringIn(command.to, command.after)
  }
}

/** The mind's summary of a call that is over, by the outcomes as they are kept. */
async function summarise({ mind, log }: Context, request: FastifyRequest, reply: FastifyReply) {
  const wanted = SummaryWanted.safeParse(request.body)
  if (!wanted.success) return refuse(reply, 'invalid_input', `It is not valid: ${z.prettifyError(wanted.error)}`)
  const { order, endReason, turns, outcomes } = wanted.data
  const summary = await summariseAgain(mind, { order, endReason, turns, outcomes }, log)
  return summary ?? refuse(reply, 'unavailable', 'The mind made no summary.')
}

function health(context: Context, calls: Calls, reply: FastifyReply) {
  const { config, carrier, mind } = context
  const answer: VoiceHealth = {
    status: calls.status,
    calls: calls.count,
    capacity: config.capacity,
    carrier: carrier.name,
    mind: mind.name,
    phone: phoneState(context),
  }
  return reply.code(answer.status === 'ok' ? 200 : 503).send(answer)
}

const NOT_READY = { full: 'Every place for a call is taken.', draining: 'It is stopping.' } as const

const PHONE_NOT_READY = {
  checking: 'Its carriers are being checked.',
  deaf: DEAF,
  broken: 'None of its carriers would place a call.',
} as const

function readiness(context: Context, calls: Calls, reply: FastifyReply) {
  const { status } = calls
  const phone = phoneState(context)
  const reason = status !== 'ok' ? NOT_READY[status] : phone !== 'ready' ? PHONE_NOT_READY[phone] : null
  const answer: Readiness = { status: reason === null ? 'ready' : 'not_ready', reason }
  return reply.code(reason === null ? 200 : 503).send(answer)
}

function refuse(reply: FastifyReply, code: ErrorCode, message: string) {
  const answer: ErrorReply = { code, message }
  return reply.code(ERROR_STATUS[code]).send(answer)
}
