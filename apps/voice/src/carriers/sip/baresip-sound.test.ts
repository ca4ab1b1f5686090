import { frameTicker, systemClock } from '@parley/voice-ports'
import { afterEach, describe, expect, it } from 'vitest'
import { openRtp } from './media/index.ts'
import { framesOf, fromFirstSound, joined, likeness, random, speechLike } from './media/testing/sound.ts'
import { baresip } from './testing/baresip.ts'
import { Dialed } from './testing/dialed.ts'
import { impairedRelay } from './testing/impaired-relay.ts'
import { isInstalled } from './testing/sipp.ts'
import { trunkFile } from './testing/trunk.ts'

const PHONE = '127.0.0.32'
const NUMBER = '+12025550100'
/** Sound that is lost makes the rest come earlier where the phone plays nothing in its place. */
const EARLY = new Uint8Array(4000).fill(0xff)
const OURS = speechLike(4000, 21)
const THEIRS = speechLike(4000, 22)
const ends: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** Both speak at once for 4 s; what each heard of the other. */
async function talk(impair: () => number | null) {
  const far = await baresip({ address: PHONE, user: NUMBER, says: THEIRS })
  ends.push(far.close)
  const relay = await impairedRelay({ address: PHONE, trunkPort: far.port, impair })
  ends.push(relay.close)
  const file = trunkFile([{ host: PHONE, port: relay.port }], { address: '127.0.0.1', port: 0 })
  const dialed = await Dialed.to(file, openRtp, { to: NUMBER })
  ends.push(() => dialed.carrier.close())
  await dialed.until(() => dialed.types.includes('media up'))
  const frames = framesOf(OURS)
  const leave = frameTicker(systemClock()).join(() => {
    const audio = frames.shift()
    if (audio) dialed.leg.send({ audio })
  })
  // Baresip hangs up when it has said everything.
  await dialed.ended()
  leave()
  const heard = joined(dialed.events.flatMap((event) => (event.type === 'frame' ? [event.frame.audio] : [])))
  const both = [
    [THEIRS, heard],
    [OURS, await far.heard()],
  ] as const
  const alike = both.map(([sent, came]) => likeness(sent, joined([EARLY, fromFirstSound(came), EARLY]), 8000))
  return { alike, relay, unlike: likeness(OURS, joined([EARLY, fromFirstSound(heard), EARLY]), 8000) }
}

describe.skipIf(!isInstalled('baresip'))('sound between the SIP carrier and baresip', () => {
  // In real time: a machine that does everything at once may miss its beat.
  it('arrives as it was sent, both ways', { retry: 2 }, async () => {
    const { alike, unlike } = await talk(() => 0)
    for (const each of alike) expect(each).toBeGreaterThan(0.95)
    expect(unlike).toBeLessThan(0.7)
  })

  it('arrives through 5 % of loss and 40 ms of jitter, both ways', { retry: 2 }, async () => {
    const next = random(7)
    const { alike, relay } = await talk(() => (next() < 0.05 ? null : 40 * next()))
    expect(relay.counts.lost).toBeGreaterThan(5)
    for (const each of alike) expect(each).toBeGreaterThan(0.85)
  })
})
