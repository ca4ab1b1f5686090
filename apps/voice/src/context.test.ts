import { ConfigError } from '@parley/contract/environment'
import { SANDBOX } from '@parley/sandbox'
import { expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { noJournal } from './journal.ts'
import { quietLog } from './session/testing/fakes.ts'

it('refuses a TURN_END_MODEL that cannot be read, and names what to set', async () => {
  const config = readConfig({ VOICE_SECRET: 'a secret of some length', TURN_END_MODEL: '/nowhere/model.onnx' })
  const started = createContext(config, { sandbox: SANDBOX, log: quietLog(), journal: noJournal })
  await expect(started).rejects.toThrow(ConfigError)
  await expect(started).rejects.toThrow(/TURN_END_MODEL=\/nowhere\/model\.onnx cannot be used: .*Name the ONNX file/s)
})

it('hears by a realtime mind itself, which hears real lines', async () => {
  const keys = { MIND_PROVIDER: 'openai', MIND_MODEL: 'gpt-realtime', OPENAI_API_KEY: 'k' }
  const config = readConfig({ VOICE_SECRET: 'a secret of some length', MIND: 'realtime', ...keys })
  const context = await createContext(config, { sandbox: SANDBOX, log: quietLog(), journal: noJournal })
  expect(context).toMatchObject({ hearsRealLines: true, ears: [{ name: 'openai gpt-realtime' }] })
  expect(context.mind.name).toBe('openai gpt-realtime')
})
