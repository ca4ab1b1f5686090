import { availableParallelism } from 'node:os'
import {
  type Activity,
  EchoGuard,
  FRAME_BYTES,
  FRAME_MS,
  type Judged,
  levelDbm0,
  type SpeechDetector,
} from '@parley/voice-ports'
import { createLog } from '../../apps/voice/src/log.ts'
import { VoiceActivity } from '../../apps/voice/src/session/hearing/voice-activity.ts'
import { findEspeak } from '../../apps/voice/src/speech/local/index.ts'
import { createSileroDetector } from '../../apps/voice/src/speech/silero/index.ts'
import { type Recording, recordings } from './recordings.ts'

// What the voice hears as speech: the level alone, and the level with the learned detector, on the same recordings.

/** A frame waits for the verdicts of the frames before it, as in real time, where the detector has 20 ms for each. */
function inStep(detector: SpeechDetector): { detector: SpeechDetector; settled: () => Promise<void> } {
  let due = 0
  let came = 0
  let wake: () => void = () => undefined
  return {
    settled: () => (came >= due ? Promise.resolve() : new Promise((resolve) => (wake = resolve))),
    detector: {
      ...detector,
      open(onJudged) {
        let bytes = 0
        let lastMs = -Infinity
        const judging = detector.open((judged: Judged) => {
          came++
          onJudged(judged)
          if (came >= due) wake()
        })
        return {
          push(audio, endsMs) {
            // As the detector does after a gap.
            if (endsMs - lastMs > 100 + FRAME_MS) bytes = 0
            lastMs = endsMs
            bytes += audio.length
            due += Math.floor(bytes / 256)
            bytes %= 256
            judging.push(audio, endsMs)
          },
          close: () => judging.close(),
        }
      },
    },
  }
}

interface Figures {
  readonly missed: number
  readonly missedWhole: number
  readonly false: number
  readonly starts: number
  readonly lateMs: readonly number[]
  readonly cpu: number
}

async function listen(recording: Recording, whole: SpeechDetector | null): Promise<Figures> {
  const stepped = whole ? inStep(whole) : null
  const stretches: { fromMs: number; toMs: number; toldMs: number }[] = []
  let nowMs = 0
  const note = (activity: Activity | null) => {
    if (activity?.type === 'speech_started') stretches.push({ fromMs: activity.sinceMs, toMs: Infinity, toldMs: 0 })
    const last = stretches.at(-1)
    if (activity?.type === 'speech_stopped' && last) Object.assign(last, { toMs: activity.untilMs, toldMs: nowMs })
  }
  const voice = new VoiceActivity(stepped?.detector ?? null, note)
  const echo = new EchoGuard()
  const before = process.cpuUsage()
  for (let at = 0; at + FRAME_BYTES <= recording.audio.length; at += FRAME_BYTES) {
    nowMs = (at / FRAME_BYTES + 1) * FRAME_MS
    const audio = recording.audio.subarray(at, at + FRAME_BYTES)
    if (recording.ours) echo.sent(levelDbm0(recording.ours.subarray(at, at + FRAME_BYTES)), nowMs)
    note(voice.push(audio, nowMs, recording.ours ? echo.expected(levelDbm0(audio), nowMs) : undefined))
    await stepped?.settled()
  }
  const used = process.cpuUsage(before)
  voice.close()
  return judge(recording, stretches, nowMs, (used.user + used.system) / 1000 / nowMs)
}

function judge(
  { speech }: Recording,
  stretches: readonly { fromMs: number; toMs: number; toldMs: number }[],
  totalMs: number,
  cpu: number,
): Figures {
  let spoken = 0
  let missed = 0
  let wrong = 0
  for (let ms = 0; ms < totalMs; ms += FRAME_MS) {
    const isSpeech = speech.some(({ fromMs, toMs }) => ms >= fromMs && ms + FRAME_MS <= toMs)
    // A word's edges are nobody's fault.
    const isNear = speech.some(({ fromMs, toMs }) => ms > fromMs - 200 && ms < toMs + 200)
    const heard = stretches.some(({ fromMs, toMs }) => ms + FRAME_MS > fromMs && ms < toMs)
    if (isSpeech) spoken++
    if (isSpeech && !heard) missed++
    if (!isNear && heard) wrong++
  }
  const starts = stretches.filter(
    ({ fromMs }) => !speech.some((one) => fromMs > one.fromMs - 300 && fromMs < one.toMs + 100),
  ).length
  // Until the end is known: from the end of each utterance to the word that it is over.
  const lateMs = speech.flatMap(({ fromMs, toMs }) => {
    const last = stretches.findLast((one) => one.fromMs < toMs && one.toMs > fromMs)
    return last && last.toldMs > 0 ? [last.toldMs - toMs] : []
  })
  const missedWhole = speech.filter(
    (one) => !stretches.some(({ fromMs, toMs }) => fromMs < one.toMs && toMs > one.fromMs),
  ).length
  const quietFrames = totalMs / FRAME_MS - spoken
  return { missed: missed / Math.max(1, spoken), missedWhole, false: wrong / quietFrames, starts, lateMs, cpu }
}

const LEGS = 100
const LEGS_MS = 15_000

/** CPU of a leg among many that are loud at once, whose windows share the model's runs; as a share of a core. */
async function amongMany({ audio }: Recording, whole: SpeechDetector): Promise<number> {
  const legs = Array.from({ length: LEGS }, () => {
    const stepped = inStep(whole)
    return { stepped, voice: new VoiceActivity(stepped.detector, () => undefined) }
  })
  const before = process.cpuUsage()
  for (let nowMs = FRAME_MS; nowMs <= LEGS_MS; nowMs += FRAME_MS) {
    for (const [nth, { voice }] of legs.entries()) {
      const at = ((nowMs / FRAME_MS + nth) * FRAME_BYTES) % (audio.length - FRAME_BYTES)
      voice.push(audio.subarray(at, at + FRAME_BYTES), nowMs)
    }
    await Promise.all(legs.map(({ stepped }) => stepped.settled()))
  }
  const { user, system } = process.cpuUsage(before)
  for (const { voice } of legs) voice.close()
  return (user + system) / 1000 / LEGS_MS / LEGS
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const worst = (values: readonly number[]) => (values.length === 0 ? undefined : Math.max(...values))
const ms = (value: number | undefined) => (value === undefined ? '-' : `${Math.round(value)} ms`)

function lineOf(
  condition: string,
  name: string,
  { missed, missedWhole, false: wrong, starts, lateMs, cpu }: Figures,
): string {
  const cells = [
    condition,
    name,
    `${missedWhole}`,
    percent(missed),
    percent(wrong),
    `${starts}`,
    ms(middle(lateMs)),
    ms(worst(lateMs)),
  ]
  return `| ${[...cells, percent(cpu)].join(' | ')} |`
}

// The detector's thread does not keep the process alive.
const alive = setInterval(() => undefined, 1000)
const binary = await findEspeak()
if (binary === null) throw new Error('The recordings are made by espeak-ng: install it first.')
const detector = await createSileroDetector(createLog('warn'))
console.log(`On ${availableParallelism()} cores; CPU is that of the whole process, per time of the call.\n`)
console.log(
  '| recording | decided by | missed utterances | missed speech | false speech | false starts | end known after, median | worst | CPU |',
)
console.log('|---|---|---|---|---|---|---|---|---|')
const all = await recordings(binary)
for (const recording of all) {
  console.log(lineOf(recording.condition, 'level', await listen(recording, null)))
  console.log(lineOf('', 'level and Silero', await listen(recording, detector)))
}
const noisy = all.find(({ condition }) => condition.startsWith('music'))
if (noisy) console.log(`\nA leg among ${LEGS} with music behind them: CPU ${percent(await amongMany(noisy, detector))}`)
await detector.close()
clearInterval(alive)
