import { createServer } from 'node:net'
import { VOICE_PATHS, VoiceHealth } from '@parley/contract'
import { errnoOf } from '@parley/api/data'
import type { StandaloneConfig } from './config.ts'

const HOST = '127.0.0.1'
const LOOK_EVERY_MS = 250
/** A voice service without its supervisor hangs up before it ends, which takes long on a busy machine. */
const VOICE_ENDS_MS = 20_000
/** The ports of a killed process are freed a moment after it is gone. */
const KILLED_MS = 2000
const HEALTH_MS = 1000
const PORT_MAX = 65_535
/** Beyond the four ports of another Parley. */
const ELSEWHERE = 100

/** Throws one sentence when a port is in use, forbidden or named twice. */
export async function checkPorts(
  config: Pick<StandaloneConfig, 'port' | 'voicePort' | 'internalPort' | 'paymentsPort'>,
): Promise<void> {
  const ports = [
    ['PORT', config.port],
    ['VOICE_PORT', config.voicePort],
    ['INTERNAL_PORT', config.internalPort],
    ...(config.paymentsPort === undefined ? [] : [['PAYMENTS_SANDBOX_PORT', config.paymentsPort] as const]),
  ] as const
  for (const [at, [name, port]] of ports.entries()) {
    const twin = ports.slice(0, at).find(([, other]) => other === port)
    if (twin) throw new Error(`${twin[0]} and ${name} are both ${port}. Set one of them to another port.`)
    if (port > PORT_MAX)
      throw new Error(`${name}=${port} is beyond the last port, ${PORT_MAX}. Set PORT lower, or ${name} itself.`)
    await checkPort(name, port)
  }
}

/** Ports tried for further voice services. */
const FURTHER_PORTS = 200

/** Free ports after all others of the product, for voice services beyond the first. */
export async function furtherVoicePorts(
  config: Pick<StandaloneConfig, 'port' | 'voicePort' | 'internalPort' | 'paymentsPort' | 'voices'>,
): Promise<number[]> {
  const first = Math.max(config.port, config.voicePort, config.internalPort, config.paymentsPort ?? 0) + 1
  const last = Math.min(PORT_MAX, first + FURTHER_PORTS)
  const found: number[] = []
  for (let port = first; port <= last && found.length < config.voices - 1; port++)
    if ((await problemWith(port)) === '') found.push(port)
  if (found.length === config.voices - 1) return found
  throw new Error(
    `There are not enough free ports from ${first} to ${last} for --voices ${config.voices}. Set PORT to another port.`,
  )
}

async function checkPort(name: string, port: number): Promise<void> {
  const startedAt = Date.now()
  for (;;) {
    const problem = await problemWith(port)
    if (problem === '') return
    if (problem === 'EACCES')
      throw new Error(`${name}=${port}: this user may not listen there. Set ${name} to a port above 1023.`)
    const waited = Date.now() - startedAt
    const mayEnd = name === 'VOICE_PORT' ? waited < VOICE_ENDS_MS && (await mayBeVoice(port)) : waited < KILLED_MS
    if (!mayEnd) {
      throw new Error(
        `${name}=${port} is in use by another program. Stop it, or set ${name} to another port, such as ${another(port)}.`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

function another(port: number): number {
  return port + ELSEWHERE > PORT_MAX ? port - ELSEWHERE : port + ELSEWHERE
}

/** The error code of listening on the port; empty when it is free. */
async function problemWith(port: number): Promise<string> {
  const server = createServer()
  return new Promise((done) => {
    server.once('error', (error) => done(errnoOf(error) || 'unknown'))
    server.listen(port, HOST, () => server.close(() => done('')))
  })
}

/** A service that does not answer may be ending just now. */
async function mayBeVoice(port: number): Promise<boolean> {
  const url = `http://${HOST}:${port}${VOICE_PATHS.health}`
  const answer = await fetch(url, { signal: AbortSignal.timeout(HEALTH_MS) }).catch(() => undefined)
  if (!answer) return true
  return VoiceHealth.safeParse(await answer.json().catch(() => undefined)).success
}
