import { STAGES } from '../../packages/contract/src/index.ts'
import { examine } from '../../apps/standalone/src/doctor/doctor.ts'
import { type RealWire, startRealWire } from '../../apps/standalone/src/real-wire/testing.ts'
import { type Person, until } from '../../apps/standalone/src/world.ts'
import { type ModelAnswer, type ModelRequest, spoken } from '@parley/sandbox/testing'
import { type Drills, keepAsking, openStage, type Stage } from './stage.ts'

// Vendors of their own wire formats on this machine: one that refuses, one that is slow.

const CALLEE = '+12122345678'
/** Failures in a row after which it is passed over. */
const FAILURES = 5
const LATE_MS = 1900

const LINES = Array.from({ length: 30 }, () => 'Yes, we have a table at seven.')
const nothing: ModelAnswer = {
  steps: [{ type: 'say', text: JSON.stringify({ outcomes: [], opted_out: null, language: null }) }],
}
/** A model that asks the same thing again. */
const answer = ({ schema }: ModelRequest) => (schema === null ? spoken('Is that for two people?') : nothing)

async function openWire(): Promise<{ readonly wire: RealWire; readonly stage: Stage }> {
  const opened = Promise.withResolvers<RealWire>()
  const stage = await openStage(async (environment) => {
    const wire = await startRealWire({ answer, question: null, lines: () => LINES, environment })
    opened.resolve(wire)
    // A model is asked what no case is for when calls are cut off.
    return { ...wire.parley, dispose: () => wire.dispose().catch(() => undefined) }
  })
  return { wire: await opened.promise, stage }
}

function repliesSlow(): ReturnType<Drills[string]> {
  let wire: RealWire
  let end: () => Promise<void> = () => Promise.resolve()
  return {
    async open() {
      const opened = await openWire()
      wire = opened.wire
      return opened.stage
    },
    async begin(stage) {
      const person = await stage.person()
      wire.mouth.faults.set('text', { how: 'late', ms: LATE_MS }, Infinity)
      end = keepAsking(
        async () => person.ended((await person.place(CALLEE, { maxDurationMinutes: 1 })).id, 120_000),
        2,
        500,
      )
      return `The mouth (a far end in the wire format of ElevenLabs) sent its first sound ${LATE_MS} ms late, in two calls at once.`
    },
    async look({ prometheus }) {
      const slow = (stage: string) =>
        prometheus.query(
          `histogram_quantile(0.95, sum by (le) (rate(parley_voice_stage_seconds_bucket{stage="${stage}"}[40s])))`,
        )
      const seen = await Promise.all(STAGES.map(async (stage) => `${stage} ${await slow(stage)}`))
      return `By stage, p95 in seconds: ${seen.join(', ')}: the mouth.`
    },
    async mend() {
      wire.mouth.faults.clear()
      return 'In place of naming another vendor first, the vendor was made quick again.'
    },
    after: () => end(),
  }
}

function carrierPassedOver(): ReturnType<Drills[string]> {
  let wire: RealWire
  let person: Person
  /** A carrier that is known to be broken gets no calls: they are refused at once. */
  const call = async () => {
    const placed = await person.place(CALLEE, { maxDurationMinutes: 1 }).catch(() => undefined)
    if (!placed) return 'refused'
    const { durationSeconds } = await person.ended(placed.id, 120_000)
    return (durationSeconds ?? 0) > 0 ? 'reached' : 'failed'
  }
  return {
    async open() {
      const opened = await openWire()
      wire = opened.wire
      return opened.stage
    },
    async begin(stage) {
      person = await stage.person()
      wire.carrier.account.status = 'suspended'
      let failed = 0
      while (failed < FAILURES && (await call()) === 'failed') failed++
      return `The account at the carrier (a far end in Twilio's wire format) was suspended; ${failed} calls failed, and further ones were refused.`
    },
    async look({ parley }) {
      const { environment } = wire
      const port = new URL(parley.url).port
      const parts = await examine({ ...environment, DATA_DIR: parley.dataDir, PORT: port })
      const found = parts.find(({ ok, part }) => !ok && /carrier|twilio/i.test(part))
      return `\`npm run doctor\` said: "${found?.part}: ${found?.says}"`
    },
    async mend() {
      wire.carrier.account.status = 'active'
      await until('a call to go through', async () => (await call()) === 'reached', 300_000, 5000)
      return 'The account was active again, and the first call that was let through reached its callee.'
    },
  }
}

export const vendors: Drills = { RepliesSlow: repliesSlow, CarrierPassedOver: carrierPassedOver }
