import { startModelFarEnd } from '@parley/sandbox/testing'
import { createLog, guarded, readConfig, thinkingOf } from '@parley/voice/adapters'
import { virtualClock } from '@parley/voice-ports'
import { isDeepStrictEqual } from 'node:util'
import { ENDINGS } from '../rehearsal/orders.ts'
import { attacked, type Breaches, isUnharmed } from './adversarial.ts'
import { Dialogues } from './dialogues.ts'
import { type Duplex, duplexOf, together } from './duplex.ts'
import { type Fault, faultsOf, stateOf } from './score.ts'
import { stage, type Staged } from './stage.ts'

/** One persona and one mind. */
export interface Row {
  readonly number: string
  readonly mind: string
  readonly end: string
  readonly outcomes: Staged['wrappedUp']['outcomes']
  readonly faults: readonly Fault[]
  /** As with the offline mind. */
  readonly alike: boolean
  readonly duplex: Duplex
}

export interface Evaluation {
  readonly rows: readonly Row[]
  /** By mind. */
  readonly duplex: Readonly<Record<string, Duplex>>
  readonly breaches: Breaches
  readonly isPassed: boolean
}

/** Whoever 0199 stands for is a person at a browser. */
export const CALLED = Object.keys(ENDINGS).filter((number) => number !== '0199')

const SECRET = 'nobody listens in an evaluation'

/** The personas and the adversarial pack, without any vendor. */
export async function evaluateOffline(numbers: readonly string[] = CALLED): Promise<Evaluation> {
  const log = createLog('silent')
  const dialogues = new Dialogues()
  const far = await startModelFarEnd({ answer: (request) => dialogues.answer(request), apiKey: null })
  const config = readConfig({
    VOICE_SECRET: SECRET,
    MIND: 'language-model',
    MIND_PROVIDER: 'openai-compatible',
    MIND_MODEL: 'scripted-dialogues',
    MIND_BASE_URL: far.baseUrl.openai,
  })
  const rows: Row[] = []
  try {
    for (const number of numbers) {
      const offline = await stage((clock) => guarded(dialogues.recording(), { log, clock }), number)
      const modelled = await stage(async (clock) => (await thinkingOf({ config, log, clock })).mind, number)
      rows.push(rowOf('scripted', offline, offline), rowOf('language-model', modelled, offline))
    }
  } finally {
    await far.close()
  }
  const breaches = await attacked((mind) => guarded(mind, { log, clock: virtualClock() }))
  const isPassed = isUnharmed(breaches) && rows.every(({ faults, alike }) => faults.length === 0 && alike)
  const minds = [...new Set(rows.map(({ mind }) => mind))]
  const duplexIn = (mind: string) => together(rows.filter((row) => row.mind === mind).map(({ duplex }) => duplex))
  return { rows, breaches, isPassed, duplex: Object.fromEntries(minds.map((mind) => [mind, duplexIn(mind)])) }
}

function rowOf(mind: string, call: Staged, offline: Staged): Row {
  return {
    number: call.number,
    mind,
    end: call.ended.reason,
    outcomes: call.wrappedUp.outcomes,
    faults: faultsOf(call),
    alike: isDeepStrictEqual(stateOf(call), stateOf(offline)),
    duplex: duplexOf(call.speech),
  }
}
