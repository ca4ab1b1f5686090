import {
  startCartesiaFarEnd,
  startDeepgramFarEnd,
  startDeepgramSpeakFarEnd,
  startElevenLabsFarEnd,
  startGeminiLive,
  startModelFarEnd,
  startOpenAiSpeechFarEnd,
  startOpenaiRealtime,
  startOpenaiTranscription,
} from '@parley/sandbox/testing'
import { systemClock } from '@parley/voice-ports'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { quietLog } from './session/testing/fakes.ts'
import { speechChecksOf } from './speech.ts'
import { thinkingOf } from './thinking.ts'

// docs/vendors: each start of a page is followed as it stands there, with the key and the address of a far end.

type Environment = Readonly<Record<string, string>>

const PAGES = join(import.meta.dirname, '../../../docs/vendors')
const KEY = 'a key of the far ends'
const SECRET = { VOICE_SECRET: 'a secret of more than 16 characters' }
const ON_THIS_MACHINE = ['espeak', 'local']

/** The variables of every start on a page. */
const startsOn = (page: string): Environment[] =>
  [...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)]
    .map(([, command = '']) => command.replaceAll(/\\\n/g, ' ').trim())
    .filter((command) => command.endsWith('npm start'))
    .map((command) =>
      Object.fromEntries([...command.matchAll(/([A-Z_]+)=(\S*)/g)].map(([, name = '', value = '']) => [name, value])),
    )

const starts = readdirSync(PAGES).flatMap((file) =>
  startsOn(readFileSync(join(PAGES, file), 'utf8')).map((environment, index) => ({
    file,
    nth: index + 1,
    environment,
  })),
)

const opened: { close(): Promise<unknown> }[] = []
afterAll(async () => void (await Promise.all(opened.map((far) => far.close()))))

async function kept<Far extends { close(): Promise<unknown> }>(starting: Promise<Far>): Promise<Far> {
  const far = await starting
  opened.push(far)
  return far
}

const namesIn = (environment: Environment, variable: string) => (environment[variable] ?? '').split(',').filter(Boolean)

/** The same start, with the addresses of the far ends that are given. */
function ledTo(environment: Environment, addresses: Environment): Environment {
  const keys = Object.keys(environment).filter((name) => name.endsWith('_API_KEY'))
  return { ...SECRET, ...environment, ...Object.fromEntries(keys.map((name) => [name, KEY])), ...addresses }
}

async function mindChecks(environment: Environment) {
  const models = namesIn(environment, 'MIND_MODEL')
  const answers = () => []
  const given = { apiKey: KEY, models, answers }
  const isRealtime = environment['MIND'] === 'realtime'
  const isCompatible = environment['MIND_PROVIDER'] === 'openai-compatible'
  const model = await kept(startModelFarEnd({ answer: () => undefined, apiKey: isCompatible ? null : KEY, models }))
  const addresses = {
    OPENAI_BASE_URL: isRealtime ? (await kept(startOpenaiRealtime(given))).url : model.baseUrl.openai,
    ANTHROPIC_BASE_URL: model.baseUrl.anthropic,
    GOOGLE_GENERATIVE_AI_BASE_URL: isRealtime ? (await kept(startGeminiLive(given))).url : model.baseUrl.google,
    ...(isCompatible && { MIND_BASE_URL: model.baseUrl.openai }),
  }
  const config = readConfig(ledTo(environment, addresses))
  return (await thinkingOf({ config, log: quietLog(), clock: systemClock() })).checks
}

async function speechChecks(environment: Environment, variable: 'EAR' | 'MOUTH') {
  const addresses =
    variable === 'EAR'
      ? {
          DEEPGRAM_BASE_URL: (await kept(startDeepgramFarEnd({ apiKey: KEY }))).url,
          OPENAI_BASE_URL: (await kept(startOpenaiTranscription({ apiKey: KEY }))).url,
        }
      : {
          DEEPGRAM_BASE_URL: (await kept(startDeepgramSpeakFarEnd(KEY))).url,
          OPENAI_BASE_URL: `${(await kept(startOpenAiSpeechFarEnd(KEY))).url}/v1`,
          ELEVENLABS_BASE_URL: (await kept(startElevenLabsFarEnd(KEY))).url,
          CARTESIA_BASE_URL: (await kept(startCartesiaFarEnd(KEY))).url,
        }
  const config = readConfig(ledTo(environment, addresses))
  const remote = namesIn(environment, variable).filter((name) => !ON_THIS_MACHINE.includes(name))
  const parts = remote.map((name) => `${variable.toLowerCase()} ${name}`)
  const checks = speechChecksOf({ config, log: quietLog(), clock: systemClock() })
  return checks.filter(({ part }) => parts.includes(part))
}

describe('a start of the vendor pages', () => {
  it.each(starts)('is accepted by the vendors that it names: $file, $nth', async ({ environment }) => {
    const checks = [
      ...(await mindChecks(environment)),
      ...(await speechChecks(environment, 'EAR')),
      ...(await speechChecks(environment, 'MOUTH')),
    ]
    const named = ['MIND_PROVIDER', 'EAR', 'MOUTH'].flatMap((variable) => namesIn(environment, variable))
    expect(checks).toHaveLength(named.filter((name) => !ON_THIS_MACHINE.includes(name)).length)
    const results = await Promise.all(checks.map((check) => check.run(AbortSignal.timeout(30_000))))
    expect(results.filter(({ ok }) => !ok)).toEqual([])
  })

  it('is there for every ear, mouth and mind', () => {
    const shown = (variable: string) => [
      ...new Set(starts.flatMap(({ environment }) => namesIn(environment, variable))),
    ]
    expect(shown('EAR').toSorted()).toEqual(['deepgram', 'local', 'openai'])
    expect(shown('MOUTH').toSorted()).toEqual(['cartesia', 'deepgram', 'elevenlabs', 'espeak', 'local', 'openai'])
    expect(shown('MIND').toSorted()).toEqual(['language-model', 'realtime'])
    expect(shown('MIND_PROVIDER').toSorted()).toEqual(['anthropic', 'google', 'openai', 'openai-compatible'])
  })
})
