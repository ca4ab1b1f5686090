import { type Stretch } from '../rehearsal/recorder.ts'

// Full-duplex figures of a call, in ticks of 200 ms: who speaks over whom, and who gives way.

const TICK_MS = 200
/** Speech of a callee that pauses for less goes on. */
const PAUSE_MS = 700
/** A callee who is answered later was not answered. */
const ANSWERED_WITHIN_MS = 4000
/** Who interrupts speaks on; a back-channel is over by then. */
const BACK_CHANNEL_MAX_MS = 1000
const YIELDS_WITHIN_MS = 1000

export interface Duplex {
  /** Turns of the callee, and how many were answered. */
  readonly turns: number
  readonly answered: number
  readonly latenciesMs: readonly number[]
  readonly interruptions: number
  readonly yields: number
  readonly backChannels: number
  /** Back-channels through which the agent went on. */
  readonly spokenThrough: number
  /** The agent began while the callee was speaking, and the callee went on. */
  readonly cutOffs: number
}

const roundUp = (ms: number) => Math.ceil(ms / TICK_MS) * TICK_MS

export function duplexOf({ callee, agent }: { callee: readonly Stretch[]; agent: readonly Stretch[] }): Duplex {
  const theirs = joined(callee)
  const over = theirs.flatMap((said) => {
    const spoken = agent.find(({ startMs, endMs }) => startMs < said.startMs - TICK_MS && endMs > said.startMs)
    return spoken ? [{ said, spoken }] : []
  })
  const isBackChannel = ({ said }: (typeof over)[number]) => said.endMs - said.startMs < BACK_CHANNEL_MAX_MS
  const interruptions = over.filter((each) => !isBackChannel(each))
  const backChannels = over.filter(isBackChannel)
  // The last one, behind the agent's last words, is a goodbye.
  const endedMs = agent.at(-1)?.endMs ?? 0
  const isGoodbye = (said: Stretch) => said === theirs.at(-1) && said.startMs >= endedMs
  const taken = theirs.filter((said) => !backChannels.some((each) => each.said === said) && !isGoodbye(said))
  const latenciesMs = taken.flatMap(({ endMs }) => {
    const next = agent.find(({ startMs }) => startMs >= endMs - TICK_MS)
    const afterMs = next && roundUp(Math.max(0, next.startMs - endMs))
    return afterMs !== undefined && afterMs <= ANSWERED_WITHIN_MS ? [afterMs] : []
  })
  return {
    turns: taken.length,
    answered: latenciesMs.length,
    latenciesMs,
    interruptions: interruptions.length,
    yields: interruptions.filter(({ said }) => isSilentBy(agent, said.startMs + YIELDS_WITHIN_MS)).length,
    backChannels: backChannels.length,
    spokenThrough: backChannels.filter(({ said }) => goesOn(agent, said)).length,
    cutOffs: theirs.filter((said) => agent.some(({ startMs }) => cutsOff(startMs, said))).length,
  }
}

function joined(stretches: readonly Stretch[]): Stretch[] {
  const whole: { startMs: number; endMs: number }[] = []
  for (const { startMs, endMs } of stretches) {
    const last = whole.at(-1)
    if (last && startMs - last.endMs < PAUSE_MS) last.endMs = endMs
    else whole.push({ startMs, endMs })
  }
  return whole
}

const isSilentBy = (agent: readonly Stretch[], ms: number) =>
  agent.every(({ startMs, endMs }) => ms < startMs || ms >= endMs)

/** The agent speaks within two ticks of its end as before; a pause between two sentences is shorter. */
const goesOn = (agent: readonly Stretch[], { endMs }: Stretch) =>
  agent.some((each) => each.endMs > endMs && each.startMs <= endMs + 2 * TICK_MS)

const cutsOff = (startMs: number, said: Stretch) => startMs > said.startMs + TICK_MS && startMs + TICK_MS < said.endMs

/** Figures of several calls as those of one. */
export function together(all: readonly Duplex[]): Duplex {
  const sum = (key: Exclude<keyof Duplex, 'latenciesMs'>) => all.reduce((total, each) => total + each[key], 0)
  return {
    turns: sum('turns'),
    answered: sum('answered'),
    latenciesMs: all.flatMap(({ latenciesMs }) => latenciesMs),
    interruptions: sum('interruptions'),
    yields: sum('yields'),
    backChannels: sum('backChannels'),
    spokenThrough: sum('spokenThrough'),
    cutOffs: sum('cutOffs'),
  }
}
