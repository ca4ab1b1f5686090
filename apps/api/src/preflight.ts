import type { Preflight } from '@parley/contract'
import type { CallsRoom } from './calls/index.ts'
import { isDialingOn } from './consent/index.ts'
import type { Floor } from './floor.ts'

/** Every page with a form for calls asks. */
const KEPT_MS = 5000

const OBSTACLES = { away: 'voice_away', deaf: 'deaf', broken: 'carrier_broken' } as const

type Asked = Pick<Floor, 'config' | 'db' | 'disk'> & { readonly calls: Pick<CallsRoom, 'voice'> }

/** Whether calls can be placed, looked at when it is asked about, and at most every few seconds. */
export function createPreflight({ config, db, disk, calls }: Asked): () => Promise<Preflight> {
  let kept: { readonly atMs: number; readonly answer: Promise<Preflight> } | undefined
  const look = async (): Promise<Preflight> => {
    const [isOn, room, voice] = await Promise.all([isDialingOn(db), disk.state(), calls.voice.obstacle()])
    const obstacle = !isOn ? 'dialing_off' : room === 'full' ? 'storage_full' : voice === null ? null : OBSTACLES[voice]
    const isPhoneAlone = obstacle === 'deaf' || obstacle === 'carrier_broken'
    return { ready: obstacle === null, obstacle, testNumbers: isPhoneAlone && config.numbers === 'real_and_test' }
  }
  return () => {
    const nowMs = performance.now()
    if (kept && nowMs - kept.atMs < KEPT_MS) return kept.answer
    const answer = look()
    kept = { atMs: nowMs, answer }
    // A failure is not kept.
    answer.catch(() => (kept = undefined))
    return answer
  }
}
