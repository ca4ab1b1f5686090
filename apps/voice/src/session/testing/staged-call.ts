import type { Fact, Turn } from '@parley/contract'
import { pino } from 'pino'
import type { Asked, Ear, Mind, MindEndReason, MindEvent, Mouth, TurnEnd } from '@parley/voice-ports'
import type { SessionAdapters } from '../call/adapters.ts'
import { CallSession } from '../call/session.ts'
import { anOrder, factSink, memorySink, mindThat, steadyMouth, textEar, virtualTime } from './fakes.ts'
import { FarEnd } from './far-end.ts'

interface Changes {
  readonly order?: Parameters<typeof anOrder>[0]
  readonly mind?: Mind
  readonly mouth?: Mouth
  readonly ears?: readonly Ear[]
  readonly turnEnd?: TurnEnd | null
  readonly cost?: Pick<SessionAdapters, 'prices' | 'costCapMicros'>
  /** Goes on with something else, as with what a socket brings. */
  readonly time?: ReturnType<typeof virtualTime>
}

/** The owner's own phone, in the network of the far end. */
export const OWNER = '+12025550155'

/** One session against a far end that the test plays. */
export function stageCall({
  order = {},
  mind = talker(),
  mouth = steadyMouth,
  ears = [textEar],
  turnEnd = null,
  cost = {},
  time = virtualTime(),
}: Changes = {}) {
  const { clock, ticker } = time
  const far = new FarEnd(clock)
  const owner = new FarEnd(clock)
  owner.carrierCallId = 'owner-1'
  far.others.set(OWNER, owner)
  const report = factSink()
  const recording = memorySink()
  const logged: string[] = []
  const session = new CallSession(anOrder(order), {
    carrier: far,
    ears,
    turnEnd,
    ...cost,
    mouth,
    mind,
    clock,
    ticker,
    report,
    recordingOf: () => recording,
    log: pino({ level: 'info' }, { write: (line) => void logged.push(line) }),
  })
  const facts = () => report.facts
  const types = () => facts().map(({ type }) => type)
  return {
    clock,
    far,
    owner,
    session,
    recording,
    facts,
    types,
    turns: () => latest(facts()),
    turnTexts: () => latest(facts()).map(({ speaker, text, heard }) => `${speaker}: ${text}${heard ? '' : ' —'}`),
    logged: () => logged.map((line): unknown => JSON.parse(line)),
    ended: () => facts().find((fact) => fact.type === 'ended'),
    async answer() {
      await clock.advance(500)
      far.ring()
      await clock.advance(2000)
      far.answer()
    },
    /** The disclosure and the opening were heard. */
    async opened() {
      await this.answer()
      await clock.advance(9000)
    },
    async over() {
      for (let second = 0; second < 300 && !types().includes('wrapped_up'); second++) await clock.advance(1000)
    },
  }
}

function latest(facts: readonly Fact[]): Turn[] {
  const turns = new Map<number, Turn>()
  for (const fact of facts) if (fact.type === 'turn') turns.set(fact.turn.index, fact.turn)
  return [...turns.values()].toSorted((a, b) => a.index - b.index)
}

export const say = (text: string): MindEvent => ({ type: 'say', text })
const hangUp = (reason: MindEndReason): MindEvent => ({ type: 'hang_up', reason })
export const lastWords = ({ turns }: Asked) => turns.at(-1)?.text ?? ''

/** Opens, answers every turn, and closes on "bye". Remembers how often it was used. */
export function talker(more: (asked: Asked) => readonly MindEvent[] | undefined = () => undefined) {
  return mindThat((asked) => {
    const special = more(asked)
    if (special) return special
    const used = typeof asked.memory === 'number' ? asked.memory : 0
    const memory: MindEvent = { type: 'memory', memory: used + 1 }
    if (asked.cue.type === 'opening') return [say('I would like a table for two.'), memory]
    if (asked.cue.type === 'heard' && asked.cue.text.includes('bye'))
      return [say('Thank you, goodbye.'), hangUp('agent_closed'), memory]
    if (asked.cue.type === 'heard') return [say('Could it be at seven in the evening on Friday please?'), memory]
    if (asked.cue.type === 'time_nearly_up') return [say('I have to go, goodbye.'), hangUp('agent_closed'), memory]
    return [say(`About ${asked.cue.type}.`), memory]
  })
}
