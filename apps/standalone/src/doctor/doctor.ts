import { readConfig as readApiConfig } from '@parley/api'
import { checkProduct } from '@parley/api/doctor'
import { SANDBOX_KEYS } from '@parley/contract'
import type { CheckedPart } from '@parley/contract/checks'
import { ConfigError } from '@parley/contract/environment'
import { readConfig as readVoiceConfig } from '@parley/voice/adapters'
import { readStandaloneConfig, type StandaloneConfig } from '../config.ts'
import { readSecrets } from '../secrets.ts'

type Environment = Readonly<Record<string, string | undefined>>

const broken = (part: string, says: string, mend: string): CheckedPart => ({ part, ok: false, says, mend })

/** Every configured part of the product of this environment. Never rejects for what an operator can mend. */
export async function examine(environment?: Environment): Promise<CheckedPart[]> {
  try {
    const config = readStandaloneConfig(environment)
    const given = await environmentOf(config)
    if (given === undefined) {
      const says = `No product has been started on ${config.dataDir}.`
      return [
        broken(
          'product',
          says,
          'Start it with "npm start", or set VOICE_SECRET and AUTH_SECRET of the one to look at.',
        ),
      ]
    }
    const api = readApiConfig(given)
    readVoiceConfig({ ...given })
    return [{ part: 'settings', ok: true, says: 'They are complete.', mend: null }, ...(await checkProduct(api))]
  } catch (error) {
    if (!(error instanceof ConfigError)) return [broken('product', messageOf(error), 'See what it says.')]
    return error.message.split('\n').map((each) => broken('settings', each, 'Correct it in .env or the environment.'))
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** As `npm start` gives it to the api; undefined where neither it nor the environment has secrets. */
async function environmentOf(config: StandaloneConfig): Promise<Environment | undefined> {
  const { environment, dataDir, port, internalPort, voicePort, paymentsPort, publicUrl } = config
  const own = { PORT: String(port), INTERNAL_PORT: String(internalPort), DATA_DIR: dataDir, PUBLIC_URL: publicUrl }
  if (environment['VOICE_SECRET'] !== undefined && environment['AUTH_SECRET'] !== undefined)
    return { ...environment, ...own }
  const secrets = await readSecrets(dataDir)
  if (!secrets) return undefined
  return {
    ...environment,
    ...own,
    ...(paymentsPort !== undefined && sandboxAt(paymentsPort)),
    VOICE_URL: `http://127.0.0.1:${voicePort}`,
    VOICE_SECRET: secrets.voice,
    AUTH_SECRET: secrets.auth,
  }
}

/** The webhook secret is that of the running product, and not needed to look. */
function sandboxAt(port: number): Environment {
  return {
    STRIPE_SECRET_KEY: SANDBOX_KEYS.secret,
    STRIPE_PUBLISHABLE_KEY: SANDBOX_KEYS.publishable,
    STRIPE_WEBHOOK_SECRET: 'whsec_not_needed',
    STRIPE_API_BASE: `http://127.0.0.1:${port}`,
  }
}

/** A line for each part, and below a broken one what to do. */
export function reportOf(parts: readonly CheckedPart[]): string {
  const width = Math.max(...parts.map(({ part }) => part.length))
  const lines = parts.flatMap(({ part, ok, says, mend }) => [
    `${ok ? 'ok    ' : 'BROKEN'}  ${part.padEnd(width)}  ${says}`,
    ...(mend === null ? [] : [`${' '.repeat(width + 10)}${mend}`]),
  ])
  const wrong = parts.filter(({ ok }) => !ok).length
  const sum =
    wrong === 0 ? 'Everything is ready.' : `${wrong} of ${parts.length} ${wrong === 1 ? 'is' : 'are'} not ready.`
  return [...lines, '', sum].join('\n')
}
