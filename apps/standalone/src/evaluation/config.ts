import { ConfigError } from '@parley/contract/environment'
import { readConfig } from '@parley/voice/adapters'

/** The operator's own models, on the simulated network. @throws ConfigError without one */
export function liveConfig(environment: NodeJS.ProcessEnv = process.env): ReturnType<typeof readConfig> {
  const config = readConfig({ ...environment, CARRIER: 'simulated', VOICE_SECRET: 'nobody listens in an evaluation' })
  if (config.vendors.mind.kind === 'scripted')
    throw new ConfigError(
      '--live needs a model of yours: set MIND, MIND_PROVIDER, MIND_MODEL and its key (docs/minds.md).',
    )
  return config
}
