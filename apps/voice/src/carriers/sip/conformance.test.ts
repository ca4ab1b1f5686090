import { systemClock } from '@parley/voice-ports'
import { carrierConforms, type CarrierUnderTest } from '@parley/voice-ports/conformance'
import { afterEach } from 'vitest'
import { SipCarrier } from './index.ts'
import { openRtp } from './media/index.ts'
import { FarEnd, NUMBERS } from './testing/far-end.ts'
import { trunkFile } from './testing/trunk.ts'

// Longer than 20 s: legs ring, wait and reach their limits in real time.

/** Call time runs faster than the wall clock on both ends, sockets and sound included. */
const SPEED = 2
const ends: { close: () => Promise<void> }[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end.close()
})

async function overLoopback(): Promise<CarrierUnderTest> {
  const clock = systemClock(SPEED)
  const heard: { digit: string; atMs: number }[] = []
  const farEnd = await FarEnd.open({
    address: '127.0.0.2',
    clock,
    openMedia: openRtp,
    onMedia: (event) => {
      if (event.type === 'digit') heard.push({ digit: event.digit, atMs: clock.nowMs() })
    },
  })
  const file = trunkFile([{ host: '127.0.0.2', port: farEnd.port }])
  const carrier = await SipCarrier.open({ file, clock, openMedia: openRtp })
  ends.push(carrier, farEnd)
  return {
    carrier,
    clock,
    advance: (ms) => new Promise((resolve) => void clock.after(ms, resolve)),
    numbers: NUMBERS,
    digitsHeard: () => heard,
    toleranceMs: 300,
  }
}

carrierConforms('SIP over UDP with RTP', overLoopback)
