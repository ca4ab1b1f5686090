import { CONFIG_EXIT_CODE, ConfigError } from '@parley/contract/environment'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { type Context, createContext, type Sandbox } from './context.ts'
import { identityOf } from './nodes/identity.ts'
import { metricsListener } from './metrics/listener.ts'
import { Membership } from './nodes/membership.ts'
import { version } from './nodes/version.ts'
import { guardProcess } from './process-guard.ts'
import { reportLeftCalls } from './spool/left-calls.ts'

/** Time to drain before the supervisor kills the process. */
const DRAIN_MS = 9000

async function contextOrExit(sandbox: Sandbox | undefined): Promise<Context> {
  try {
    return await createContext(readConfig(), { sandbox })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const { message } = error
    // A parent process reports the error itself.
    if (process.send) await new Promise((told) => process.send?.({ type: 'failed', message }, told))
    else process.stderr.write(`The voice service cannot start.\n${message}\n`)
    process.exit(CONFIG_EXIT_CODE)
  }
}

/** Runs the voice service in this process; exits the process when the service stops. */
export async function runVoice(sandbox?: Sandbox): Promise<void> {
  const context = await contextOrExit(sandbox)
  const { config, log, carrier, speechDetector, turnEnd, spool, checks, traces } = context
  guardProcess(log)
  const { server, calls, metrics } = createApp(context)
  const figures = config.metrics && metricsListener(metrics)
  /** Once it listens. */
  const own: { membership?: Membership | undefined } = {}
  const hurry = Promise.withResolvers<void>()
  let stopping = false

  async function stop(why: string): Promise<void> {
    stopping = true
    log.info({ why, calls: calls.count, drainMs: config.drainMs }, 'draining')
    const over = calls.close()
    const told = own.membership?.drain()
    if (config.drainMs > 0) {
      const timer = setTimeout(hurry.resolve, config.drainMs)
      await Promise.race([over, hurry.promise])
      clearTimeout(timer)
    }
    const patience = new Promise((resolve) => setTimeout(resolve, DRAIN_MS, 'late'))
    if ((await Promise.race([calls.drain(), patience])) === 'late')
      log.error({ calls: calls.count }, 'drained too slowly')
    spool.close()
    checks.stop()
    await told
    const closed = Promise.all([own.membership?.leave(), server.close(), figures?.close(), carrier.close()])
    // Their threads must not be computing when the process ends.
    await Promise.race([closed.then(() => Promise.all([speechDetector?.close(), turnEnd?.close()])), patience])
    await traces.close()
    process.exit(0)
  }

  /** A second request, or the end of the parent process, ends the calls at once. */
  function requestStop(why: string): void {
    if (stopping || why === 'disconnect') hurry.resolve()
    if (!stopping) void stop(why)
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => requestStop(signal))
  // Without the parent process nobody receives the facts of these calls.
  process.on('disconnect', () => requestStop('disconnect'))

  await server.listen({ host: config.host, port: config.port })
  if (config.metrics) await figures?.listen(config.metrics)
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  log.info(
    { host: config.host, port, carrier: carrier.name, mind: context.mind.name, speed: context.clock.speed },
    'listening',
  )
  checks.start()
  if (config.telephony.isReal && !context.hearsRealLines)
    log.warn('no ear understands real lines: calls over a real carrier are refused')
  spool.sendLeftovers().catch((error: unknown) => log.error({ err: error }, 'recordings of an earlier run'))
  reportLeftCalls({ ...context, ...config, secret: config.keys[0].secret, records: carrier }).catch((error: unknown) =>
    log.error({ err: error }, 'calls of an earlier run'),
  )
  own.membership = stopping ? undefined : joinAs(context, port)
  process.send?.({ type: 'listening', port })
}

function joinAs({ config, bootId, carrier, mind, log }: Context, port: number): Membership | undefined {
  const { privateUrl, ...identity } = identityOf(config, port)
  if (privateUrl === undefined) {
    log.info('PRIVATE_URL is not set: this service joins no others, and the api reaches it by VOICE_URL')
    return undefined
  }
  const abilities = { capacity: config.capacity, version, carrier: carrier.name, mind: mind.name }
  const node = { ...identity, bootId, privateUrl, ...abilities }
  const membership = new Membership({ apiUrl: config.apiUrl, keys: config.keys, node, log })
  membership.start()
  return membership
}
