import { createSocket, type Socket } from 'node:dgram'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { frameTicker, type SystemClock, systemClock } from '@parley/voice-ports'
import { onTestFinished } from 'vitest'
import type { MediaEvent } from '../../media-port.ts'
import { openRtp, type RtpOptions } from '../index.ts'
import { framesOf, fromFirstSound, joined } from './sound.ts'

export const clock: SystemClock = systemClock()

/** One open leg with what it heard; closed at the end of the test. */
export async function openLeg(localAddress: string, changes: Partial<RtpOptions> = {}) {
  const events: MediaEvent[] = []
  // Lets the clock catch up with what the test before has computed.
  await after(20)
  const session = await openRtp({
    localAddress,
    clock,
    codecs: ['pcmu', 'pcma'],
    srtp: 'off',
    onEvent: (event) => void events.push(event),
    ...changes,
  })
  onTestFinished(() => session.close())
  const frames = () => events.filter((event) => event.type === 'frame')
  return {
    session,
    events,
    frames,
    heard: () => fromFirstSound(joined(frames().map(({ frame }) => frame.audio))),
    digits: () => events.flatMap((event) => (event.type === 'digit' ? event.digit : '')).join(''),
  }
}

export type OpenedLeg = Awaited<ReturnType<typeof openLeg>>

export const after = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

const STOOD_STILL_MS = 60
const TRIES = 3

/**
 * What fails while this process stands still, on a machine that does everything at once, says nothing of the sound: it
 * is done again. What fails without that fails.
 */
export async function undisturbed(work: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    try {
      return await work()
    } catch (error) {
      if (tried === TRIES || delay.max / 1e6 < STOOD_STILL_MS) throw error
    } finally {
      delay.disable()
    }
  }
}

/** Plays a sound into legs at the pace of the clock, a frame each 20 ms; resolves at its end. */
export function play(audio: Uint8Array, ...into: readonly OpenedLeg[]): Promise<void> {
  const frames = framesOf(audio)
  let at = 0
  return new Promise((resolve) => {
    const leave = frameTicker(clock).join(() => {
      const frame = frames[at++]
      if (frame) for (const { session } of into) session.send({ audio: frame })
      else {
        leave()
        resolve()
      }
    })
  })
}

/** Where an SDP says that its writer listens. */
export function placeOf(sdp: string): { readonly address: string; readonly port: number } {
  const address = /c=IN IP4 (\S+)/.exec(sdp)?.[1] ?? ''
  return { address, port: Number(/m=audio (\d+)/.exec(sdp)?.[1]) }
}

export async function openUdp(address: string): Promise<Socket> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => void socket.bind(0, address, resolve))
  onTestFinished(() => void socket.close())
  return socket
}

/** The SDP with another place to send to. */
export const moved = (sdp: string, { address, port }: { readonly address: string; readonly port: number }) =>
  sdp.replace(/c=IN IP4 \S+/, `c=IN IP4 ${address}`).replace(/m=audio \d+/, `m=audio ${port}`)

/**
 * Connects two legs over a relay: each knows the other at the relay's place only. `handle` says after how many ms the
 * copies of a packet go on; none: it is lost.
 */
export async function connectOver(a: OpenedLeg, b: OpenedLeg, handle: () => readonly number[]): Promise<void> {
  const socket = await openUdp('127.0.0.13')
  let isOpen = true
  onTestFinished(() => {
    isOpen = false
  })
  const offer = a.session.offer()
  const answer = b.session.answer(moved(offer, socket.address()))
  const [first, second] = [placeOf(offer), placeOf(answer)]
  socket.on('message', (packet, from) => {
    const to = from.port === first.port && from.address === first.address ? second : first
    for (const delayMs of handle()) clock.after(delayMs, () => isOpen && socket.send(packet, to.port, to.address))
  })
  a.session.accept(moved(answer, socket.address()))
}

/** Offers, answers and accepts; both legs know where the other is. */
export function connect(a: OpenedLeg, b: OpenedLeg): void {
  const offer = a.session.offer()
  a.session.accept(b.session.answer(offer))
}
