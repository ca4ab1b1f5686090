import { fileURLToPath } from 'node:url'
import { buildWeb } from './build-web.ts'
import type { StandaloneConfig } from './config.ts'
import { openDataDir } from './data-dir.ts'
import { noteApi, untilEarlierApiEnded } from './earlier-run.ts'
import type { Secrets } from './secrets.ts'
import { checkPorts } from './ports.ts'
import { type Part, supervise, type Supervised, type Watcher } from './supervised.ts'

export interface Product {
  readonly url: string
  /** What is embedded and what is real, a line each. */
  readonly parts: readonly string[]
  /**
   * Stops one part and starts it from the code that is there now. It is tried again by the next call where that fails.
   */
  restart(part: PartName): Promise<void>
  close(): Promise<void>
}

export type PartName = 'api' | 'voice'

export interface ProductOptions {
  /** Somebody else serves the pages: they are not built. */
  readonly pagesElsewhere?: boolean
}

const HOST = '127.0.0.1'

/**
 * The whole product on this machine, each part a process that is brought back when it dies. Throws one sentence that
 * helps when one cannot start.
 */
export async function startProduct(
  config: StandaloneConfig,
  watcher: Watcher,
  { pagesElsewhere = false }: ProductOptions = {},
): Promise<Product> {
  const data = await openDataDir(config.dataDir, { embedded: config.environment['DATABASE_URL'] === undefined })
  const running = new Map<PartName, Supervised>()
  const stop = async (name: PartName) => {
    const part = running.get(name)
    running.delete(name)
    await part?.stop()
  }
  const close = async () => {
    // The voice service still has facts to tell as it stops.
    await stop('voice')
    await stop('api')
    await data.close()
  }
  try {
    await untilEarlierApiEnded(config.dataDir, watcher.say)
    await checkPorts(config)
    const webDir = pagesElsewhere ? undefined : await buildWeb(watcher.say)
    watcher.signal?.throwIfAborted()
    const parts: Record<PartName, () => Promise<Supervised>> = {
      voice: () => supervise(voicePart(config, data.secrets), watcher),
      api: () =>
        supervise(apiPart(config, data.secrets, webDir), {
          ...watcher,
          started: (pid) => noteApi(config.dataDir, pid),
        }),
    }
    const start = async (name: PartName) => {
      const part = await parts[name]()
      running.set(name, part)
      return part
    }
    await start('voice')
    const api = await start('api')
    await data.started()
    const restart = async (name: PartName) => {
      await stop(name)
      await start(name)
    }
    return { url: config.publicUrl, parts: api.told.parts, restart, close }
  } catch (error) {
    await close()
    throw error
  }
}

function voicePart(config: StandaloneConfig, secrets: Secrets): Part {
  return {
    name: 'The voice service',
    entry: fileURLToPath(new URL('voice-process.ts', import.meta.url)),
    startTimeoutMs: 20_000,
    stopTimeoutMs: 12_000,
    // One that ran before a crash is still hanging up.
    retryMs: 20_000,
    environment: {
      ...config.environment,
      HOST,
      VOICE_PORT: String(config.voicePort),
      API_URL: config.internalUrl,
      VOICE_SECRET: secrets.voice,
      SANDBOX_SPEED: String(config.speed),
      LOG_LEVEL: config.logLevel,
      DATA_DIR: config.dataDir,
    },
  }
}

function apiPart(config: StandaloneConfig, secrets: Secrets, webDir: string | undefined): Part {
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
