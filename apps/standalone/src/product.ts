import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HEAP_OPTIONS } from '@parley/voice/heap'
import { buildWeb } from './build-web.ts'
import type { StandaloneConfig } from './config.ts'
import { openDataDir } from './data-dir.ts'
import { noteApi, untilEarlierApiEnded } from './earlier-run.ts'
import type { Secrets } from './secrets.ts'
import { checkPorts, furtherVoicePorts } from './ports.ts'
import { type Service, supervise, superviseAll, type Supervised, type Watcher } from './supervised.ts'

export interface Product {
  readonly url: string
  /** The components and where each one is, a line each, for the start's output. */
  readonly components: readonly string[]
  /** Stops a service and starts it from the current code. After a failure the next call tries again. */
  restart(name: ServiceName): Promise<void>
  close(): Promise<void>
}

export type ServiceName = 'api' | 'voice'

export interface ProductOptions {
  /** Another process serves the pages: they are not built. */
  readonly pagesElsewhere?: boolean
}

const HOST = '127.0.0.1'

/**
 * The whole product on this machine, each service in a process that is restarted when it dies. Throws one sentence with
 * what to do when a service cannot start.
 */
export async function startProduct(
  config: StandaloneConfig,
  watcher: Watcher,
  { pagesElsewhere = false }: ProductOptions = {},
): Promise<Product> {
  const data = await openDataDir(config.dataDir, { embedded: config.environment['DATABASE_URL'] === undefined })
  const running = new Map<ServiceName, Supervised>()
  const stop = async (name: ServiceName) => {
    const service = running.get(name)
    running.delete(name)
    await service?.stop()
  }
  const close = async () => {
    // The voice service still reports facts while it stops.
    await stop('voice')
    await stop('api')
    await data.close()
  }
  try {
    await untilEarlierApiEnded(config.dataDir, watcher.say)
    await checkPorts(config)
    const voicePorts = [config.voicePort, ...(await furtherVoicePorts(config))]
    const webDir = pagesElsewhere ? undefined : await buildWeb(watcher.say)
    watcher.signal?.throwIfAborted()
    const services: Record<ServiceName, () => Promise<Supervised>> = {
      voice: () =>
        superviseAll(
          voicePorts.map((port, at) => voiceService(config, data.secrets, at + 1, port)),
          watcher,
        ),
      api: () =>
        supervise(apiService(config, data.secrets, webDir), {
          ...watcher,
          started: (pid) => noteApi(config.dataDir, pid),
        }),
    }
    const start = async (name: ServiceName) => {
      const service = await services[name]()
      running.set(name, service)
      return service
    }
    await start('voice')
    const api = await start('api')
    await data.started()
    const restart = async (name: ServiceName) => {
      await stop(name)
      await start(name)
    }
    const further = voicePorts.slice(1).map((port, at) => `voice ${at + 2}    http://${HOST}:${port}/health`)
    return { url: config.publicUrl, components: [...api.told.components, ...further], restart, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Each has a journal, facts and recordings under way of its own. */
function voiceService(config: StandaloneConfig, secrets: Secrets, number: number, port: number): Service {
  return {
    name: number === 1 ? 'The voice service' : `Voice service ${number}`,
    entry: fileURLToPath(new URL('voice-process.ts', import.meta.url)),
    nodeOptions: HEAP_OPTIONS,
    // Against one that hangs: a machine with too much to do takes long.
    startTimeoutMs: 60_000,
    stopTimeoutMs: 12_000,
    // The service of an earlier run may still be hanging up.
    retryMs: 20_000,
    environment: {
      ...config.environment,
      HOST,
      VOICE_PORT: String(port),
      ...metricsPortOf(config, number),
      NODE_ID: `voice-${number}`,
      PRIVATE_URL: `http://${HOST}:${port}`,
      // Ctrl-C hangs up: it stops everything within seconds.
      DRAIN_MINUTES: '0',
      API_URL: config.internalUrl,
      VOICE_SECRET: secrets.voice,
      SANDBOX_SPEED: String(config.speed),
      LOG_LEVEL: config.logLevel,
      // One network, which knows of every node's calls.
      SANDBOX_RECORDS_DIR: join(config.dataDir, 'simulated-calls'),
      DATA_DIR: number === 1 ? config.dataDir : join(config.dataDir, 'voices', String(number)),
    },
  }
}

/** Each of several serves its metrics on a port of its own, the next one. */
function metricsPortOf({ environment }: StandaloneConfig, number: number): { VOICE_METRICS_PORT?: string } {
  const first = environment['VOICE_METRICS_PORT']
  return first === undefined || first === '' ? {} : { VOICE_METRICS_PORT: String(Number(first) + number - 1) }
}

function apiService(config: StandaloneConfig, secrets: Secrets, webDir: string | undefined): Service {
  return {
    name: 'The api',
    entry: fileURLToPath(new URL('api-process.ts', import.meta.url)),
    stopTimeoutMs: 25_000,
    environment: {
      ...config.environment,
      PORT: String(config.port),
      INTERNAL_PORT: String(config.internalPort),
      PUBLIC_URL: config.publicUrl,
      DATA_DIR: config.dataDir,
      VOICE_URL: `http://${HOST}:${config.voicePort}`,
      VOICE_SECRET: secrets.voice,
      AUTH_SECRET: secrets.auth,
      ...(webDir === undefined ? {} : { WEB_DIR: webDir }),
      LOG_LEVEL: config.logLevel,
    },
  }
}
