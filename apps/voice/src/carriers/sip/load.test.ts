import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LegEvent, systemClock } from '@parley/voice-ports'
import { afterEach, describe, expect, it } from 'vitest'
import { SipCarrier } from './index.ts'
import { Dialed } from './testing/dialed.ts'
import { FarEnd, NUMBERS } from './testing/far-end.ts'
import { fakeMedia } from './testing/fake-media.ts'
import { TcpTrunk } from './testing/tcp-trunk.ts'
import { trunkFile } from './testing/trunk.ts'

const TRUNK = '127.0.0.61'
const ends: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

describe('SIP carrier over time', () => {
  it('opens a broken connection with a live call on it again, and hears the BYE there', async () => {
    const trunk = new TcpTrunk()
    const port = await trunk.listen(TRUNK)
    ends.push(() => trunk.close())
    const file = trunkFile([{ host: TRUNK, port, transport: 'tcp' }])
    const dialed = await Dialed.to(file, fakeMedia().openMedia)
    ends.push(() => dialed.carrier.close())
    await dialed.until(() => dialed.has('answered'))
    await expect.poll(() => trunk.heard).toContain('ACK')
    trunk.breakConnections()
    await expect.poll(() => trunk.connections).toBe(2)
    await expect.poll(() => trunk.heard).toContain('OPTIONS')
    trunk.hangUp()
    expect(await dialed.ended()).toMatchObject({ cause: 'remote' })
  })

  it('is asked about a call of another process, and cannot hang it up', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'sip-records-'))
    ends.push(() => rmSync(dir, { recursive: true }))
    const trunk = new TcpTrunk()
    const port = await trunk.listen(TRUNK)
    ends.push(() => trunk.close())
    const file = trunkFile([{ host: TRUNK, port, transport: 'tcp' }])
    const { openMedia } = fakeMedia()
    const dialed = await Dialed.to(file, openMedia, {}, systemClock(), dir)
    const other = await SipCarrier.open({ file, clock: systemClock(), openMedia, recordsDir: dir })
    ends.push(() => dialed.carrier.close())
    ends.push(() => other.close())
    await dialed.until(() => dialed.has('answered'))
    const [placed] = dialed.events
    const id = placed?.type === 'placed' ? placed.carrierCallId : ''
    expect(await other.ask(id)).toMatchObject({ state: 'live' })
    await expect(other.hangUp(id)).rejects.toThrow('Another process')
    dialed.leg.hangUp()
    const end = await dialed.ended()
    expect(await other.ask(id)).toEqual({ ...end, type: undefined, state: 'ended' })
  })

  it.each(['udp', 'tcp'])('keeps nothing of 300 calls at once over %s', async (transport) => {
    const clock = systemClock()
    const farEnd = await FarEnd.open({
      address: TRUNK,
      clock,
      openMedia: fakeMedia().openMedia,
      onMedia: () => undefined,
    })
    ends.push(() => farEnd.close())
    const file = trunkFile([{ host: TRUNK, port: farEnd.port, transport, concurrency: 300 }])
    const { openMedia, opened } = fakeMedia()
    const carrier = await SipCarrier.open({ file, clock, openMedia })
    ends.push(() => carrier.close())
    const events: LegEvent[] = []
    const count = (type: LegEvent['type']) => events.filter((event) => event.type === type).length
    const legs = Array.from({ length: 301 }, (_, at) =>
      carrier.dial(
        {
          callId: `call-${at}`,
          to: at % 3 === 0 ? NUMBERS.busy : NUMBERS.answers,
          from: null,
          userId: 'user',
          language: 'en',
          answerTimeoutMs: 30_000,
          limitMs: 60_000,
          detectMachine: false,
          webhookBase: null,
        },
        clock,
        (event) => void events.push(event),
      ),
    )
    await expect.poll(() => count('answered') + count('ended')).toBe(301)
    for (const leg of legs) leg.hangUp()
    await expect.poll(() => count('ended')).toBe(301)
    expect(events.filter((event) => event.type === 'ended' && event.cause === 'busy').length).toBeGreaterThan(90)
    expect(opened.every(({ closed }) => closed)).toBe(true)
    expect(farEnd.calls.filter(({ media }) => media !== null)).toEqual([])
    expect(carrier.counts).toMatchObject({ faults: 0, malformed: 0 })
    expect(carrier.live).toBe(0)
  })
})
