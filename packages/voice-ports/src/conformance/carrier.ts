import { describe, expect, it } from 'vitest'
import { FRAME_BYTES, FRAME_MS } from '../audio/frame.ts'
import { answered, demand, type Make, sendPaced, voiced } from './carrier-call.ts'
import { endChecks } from './carrier-ends.ts'

export type { CarrierUnderTest } from './carrier-call.ts'

/** What a leg must not send, though a model may ask for it. */
const NO_DIGITS = ['1a', '<Play/>', '1 2', '1;2', '']

/** What a carrier promises while a leg is live. */
const liveChecks = {
  async 'dial() returns before the first event, and ringing precedes answered'(make: Make) {
    const { types } = await answered(make)
    demand(
      types.includes('ringing') && types.indexOf('ringing') < types.indexOf('answered'),
      'it was answered without ringing',
    )
    demand(types.filter((type) => type === 'answered').length === 1, 'it was answered twice')
  },

  async 'placed comes once, with an id, before ringing'(make: Make) {
    const call = await answered(make)
    const { types, carrierCallId } = call
    demand(types.filter((type) => type === 'placed').length === 1, 'it was placed twice')
    demand(types.indexOf('placed') < types.indexOf('ringing'), 'it was placed after ringing')
    demand(/^[\w.:@-]{1,200}$/.test(carrierCallId), `"${carrierCallId}" is no id`)
  },

  async 'after the answer a frame of 160 bytes comes every 20 ms'(make: Make) {
    const call = await answered(make)
    const { toleranceMs } = call.under
    const startMs = call.under.clock.nowMs()
    await call.under.advance(2000)
    const frames = call.all('frame').filter(({ atMs }) => atMs > startMs)
    demand(Math.abs(frames.length - 100) <= 1 + toleranceMs / FRAME_MS, `${frames.length} frames came in 2 s`)
    demand(
      frames.every(({ event }) => event.frame.audio.length === FRAME_BYTES),
      'a frame was not 160 bytes long',
    )
    const firstMs = frames[0]?.atMs ?? 0
    frames.forEach(({ atMs }, at) => {
      const lateMs = atMs - firstMs - at * FRAME_MS
      demand(Math.abs(lateMs) <= toleranceMs, `frame ${at} came ${lateMs.toFixed(1)} ms from its time`)
    })
    const { text } = call.leg.capabilities
    demand(text || frames.every(({ event }) => event.frame.text === undefined), 'text came without the capability')
  },

  async 'media time begins at 0 and goes on by whole frames'(make: Make) {
    const call = await answered(make)
    await call.under.advance(2000)
    const times = call.all('frame').map(({ event }) => event.mediaMs)
    demand(times[0] === 0, `media time began at ${times[0]}`)
    times.forEach((mediaMs, at) => {
      const step = mediaMs - (times[at - 1] ?? -FRAME_MS)
      demand(step > 0, `media time went back from ${times[at - 1]} to ${mediaMs}`)
      demand(step % FRAME_MS === 0, `media time went on by ${step} ms`)
    })
  },

  async 'frames come between media up and media down only'(make: Make) {
    const call = await answered(make)
    await call.under.advance(1000)
    await call.hangUp()
    let up = false
    for (const { event } of call.seen) {
      if (event.type === 'frame') demand(up, 'a frame came outside media')
      if (event.type !== 'media') continue
      demand(up !== (event.state === 'up'), `media went ${event.state} twice`)
      up = event.state === 'up'
    }
    demand(!up, 'media was never down')
  },

  async 'a machine is looked for only when that was asked for'(make: Make) {
    const unasked = await answered(make)
    await unasked.under.advance(8000)
    demand(unasked.all('machine').length === 0, 'a verdict came though nobody asked')
    const asked = await answered(make, { detectMachine: true })
    await asked.under.advance(8000)
    const verdicts = asked.all('machine')
    demand(
      asked.leg.capabilities.machineDetection === verdicts.length > 0,
      `${verdicts.length} verdicts came with the capability ${asked.leg.capabilities.machineDetection}`,
    )
    const answeredMs = asked.all('answered')[0]?.atMs ?? 0
    for (const { event, atMs } of verdicts)
      demand(
        Math.abs(atMs - answeredMs - event.atMs) <= asked.under.toleranceMs + FRAME_MS,
        `a verdict said ${event.atMs} ms, ${atMs - answeredMs} ms after the answer`,
      )
  },

  async 'marks come in order, each after the audio sent before it was played'(make: Make) {
    const call = await answered(make)
    const startMs = call.under.clock.nowMs()
    await sendPaced(call, 10, 'first')
    await sendPaced(call, 5, 'second')
    await call.under.advance(1000)
    const marks = call.all('mark')
    demand(
      marks.map(({ event }) => event.name).join(' ') === 'first second',
      `marks came as: ${marks.map(({ event }) => event.name).join(' ')}`,
    )
    for (const [at, frames] of [10, 15].entries()) {
      const tookMs = (marks[at]?.atMs ?? 0) - startMs
      demand(
        tookMs >= frames * FRAME_MS - call.under.toleranceMs,
        `a mark behind ${frames * FRAME_MS} ms of audio came after ${tookMs} ms`,
      )
    }
  },

  async 'clear() drops pending marks and no later ones'(make: Make) {
    const call = await answered(make)
    for (let sent = 0; sent < 50; sent++) call.leg.send(voiced)
    call.leg.mark('dropped')
    call.leg.clear()
    await sendPaced(call, 2, 'kept')
    await call.under.advance(2000)
    demand(
      call
        .all('mark')
        .map(({ event }) => event.name)
        .join(' ') === 'kept',
      'a cleared mark came, or a later one did not',
    )
  },

  async 'digits go out after the audio before them and before the mark behind them'(make: Make) {
    const call = await answered(make)
    const { digitsHeard, toleranceMs } = call.under
    for (const text of NO_DIGITS) call.leg.sendDigits(text)
    await call.under.advance(1000)
    const startMs = call.under.clock.nowMs()
    for (let sent = 0; sent < 10; sent++) call.leg.send(voiced)
    call.leg.sendDigits('1w#')
    call.leg.mark('behind')
    await call.under.advance(4000)
    const heard = digitsHeard?.() ?? []
    const markMs = call.all('mark')[0]?.atMs
    if (!call.leg.capabilities.digits) return demand(heard.length === 0, 'digits went out without the capability')
    demand(
      heard.map(({ digit }) => digit).join('') === '1#',
      `digits were heard as: ${heard.map(({ digit }) => digit).join('')}`,
    )
    const firstMs = (heard[0]?.atMs ?? 0) - startMs
    demand(firstMs >= 10 * FRAME_MS - toleranceMs, `a digit behind 200 ms of audio was heard after ${firstMs} ms`)
    demand(markMs !== undefined, 'the mark behind digits was lost')
    demand((markMs ?? 0) >= (heard[1]?.atMs ?? 0) - toleranceMs, 'the mark behind digits came before they were heard')
  },
}

/** Each check throws the violation that it finds. */
export const carrierChecks = { ...liveChecks, ...endChecks }

export type CarrierCheck = keyof typeof carrierChecks

/** Registers the checks in the adapter's test file. */
export function carrierConforms(name: string, make: Make): void {
  describe(`${name}: carrier port`, () => {
    it.each(Object.entries(carrierChecks))('%s', async (_, check) => {
      await expect(check(make)).resolves.toBeUndefined()
    })
  })
}
