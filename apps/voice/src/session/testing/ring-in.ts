import { type Carrier, type Frame, FRAME_BYTES, frameTicker, type Mouth, sines, systemClock } from '@parley/voice-ports'
import { CallSession } from '../call/session.ts'
import { anOrder, factSink, quietLog, textEar } from './fakes.ts'
import { talker } from './staged-call.ts'

/** Whole periods a frame: every frame of such a tone is the same, and known again at the other end. */
export const HZ = { callee: 500, owner: 1000 } as const

export function toneFrame(hz: number): Frame {
  return { audio: sines([hz], 1000, -13).subarray(0, FRAME_BYTES) }
}

export function framesOf(heard: readonly { readonly audio: Uint8Array }[], hz: number): number {
  const wanted = Buffer.from(toneFrame(hz).audio)
  return heard.filter(({ audio }) => wanted.equals(audio)).length
}

/** Says everything in 200 ms. */
const hastyMouth: Mouth = {
  name: 'hasty',
  wordTimes: true,
  open: () => ({
    async *speak(text) {
      yield { audio: new Uint8Array(1600).fill(0x30), words: [{ text, fromChar: 0, toChar: text.length, endMs: 200 }] }
    },
    setLanguage: () => undefined,
    close: () => undefined,
  }),
}

interface Phones {
  readonly callee: string
  readonly owner: string
  /** Whether the owner's phone has heard something. */
  readonly ownerHears: () => boolean
  /** Presses 1 on the owner's phone. */
  readonly accept: () => void
}

/** A session over a real carrier, in real time, up to where callee and owner hear each other. */
export async function putThrough(carrier: Carrier, { callee, owner, ownerHears, accept }: Phones) {
  const clock = systemClock()
  const report = factSink()
  const session = new CallSession(anOrder({ callee, limitSeconds: 600 }), {
    carrier,
    ears: [textEar],
    mouth: hastyMouth,
    mind: talker(),
    clock,
    ticker: frameTicker(clock),
    report,
    log: quietLog(),
  })
  const until = async (isSo: () => boolean) => {
    for (let tries = 0; !isSo(); tries++) {
      if (tries > 1000) throw new Error(`It does not happen: ${JSON.stringify(report.facts.slice(-5))}`)
      await new Promise<void>((resolve) => void clock.after(20, resolve))
    }
  }
  await until(() => report.facts.some(({ type }) => type === 'answered'))
  if (session.ringIn(owner, 'hand_back') !== 'rings') throw new Error('It does not ring.')
  await until(ownerHears)
  if (session.person.speaks) throw new Error('The owner was put through without the key.')
  accept()
  await until(() => session.person.speaks)
  const legs = () => report.facts.flatMap((fact) => (fact.type === 'leg' ? [fact] : []))
  return { session, report, until, legs, pass: (ms: number) => new Promise<void>((done) => void clock.after(ms, done)) }
}
