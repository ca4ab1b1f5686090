import { decodeMulaw } from '@parley/voice-ports'
import { afterEach, describe, expect, it } from 'vitest'
import { openRtp } from './media/index.ts'
import { type Baresip, baresip, type BaresipOptions } from './testing/baresip.ts'
import { selfSigned } from './testing/certificate.ts'
import { Dialed } from './testing/dialed.ts'
import { isInstalled } from './testing/sipp.ts'
import { trunkFile } from './testing/trunk.ts'

const PHONE = '127.0.0.31'
const NUMBER = '+12025550100'
const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function phone(options: Partial<BaresipOptions> = {}): Promise<Baresip> {
  const far = await baresip({ address: PHONE, user: NUMBER, ...options })
  ends.push(far.close)
  return far
}

async function dial(fields: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}) {
  const file = trunkFile([{ host: PHONE, ...fields }], { address: '127.0.0.1', port: 0 }, more)
  const dialed = await Dialed.to(file, openRtp, { to: NUMBER })
  ends.push(() => dialed.carrier.close())
  return dialed
}

const isLoud = (audio: Uint8Array): boolean => Math.max(...decodeMulaw(audio)) > 2000
const heard = (dialed: Dialed) => dialed.events.filter((event) => event.type === 'frame').slice(25)

describe.skipIf(!isInstalled('baresip'))('SIP carrier with baresip as the phone', () => {
  it.each(['udp', 'tcp'] as const)('is answered over %s, hears a tone and hangs up', async (transport) => {
    const far = await phone({ transport })
    const dialed = await dial({ port: far.port, transport })
    await dialed.until(() => heard(dialed).length >= 50)
    const loud = heard(dialed).filter((event) => event.type === 'frame' && isLoud(event.frame.audio))
    expect(loud.length).toBeGreaterThan(40)
    dialed.leg.hangUp()
    const end = await dialed.ended()
    expect(end.cause).toBe('local')
    expect(end.connectedMs).toBeGreaterThan(1000)
    expect(dialed.types.slice(0, 4)).toEqual(['placed', 'ringing', 'answered', 'media up'])
  })

  it('ends as remote when the phone hangs up', async () => {
    const far = await phone({ seconds: 2 })
    const dialed = await dial({ port: far.port })
    const end = await dialed.ended()
    expect(end.cause).toBe('remote')
    expect(end.connectedMs).toBeGreaterThan(1500)
    expect(dialed.types.slice(-3)).toEqual(['media down', 'hung_up', 'ended'])
  })

  it('talks over TLS with SRTP, checked against the certificate', async () => {
    const certificate = await selfSigned('phone.example', PHONE)
    ends.push(certificate.remove)
    const far = await phone({ transport: 'tls', certificate: certificate.file, account: ';mediaenc=srtp-mand' })
    const dialed = await dial(
      { port: far.port, transport: 'tls', srtp: 'required' },
      { certificates: certificate.cert },
    )
    await dialed.until(() => heard(dialed).length >= 50 || dialed.has('ended'))
    expect(dialed.types).toEqual(['placed', 'ringing', 'answered', 'media up'])
    const loud = heard(dialed).filter((event) => event.type === 'frame' && isLoud(event.frame.audio))
    expect(loud.length).toBeGreaterThan(40)
    dialed.leg.hangUp()
    expect(await dialed.ended()).toMatchObject({ cause: 'local' })
  })

  it('does not call over TLS to a certificate that nobody vouches for', async () => {
    const certificate = await selfSigned('phone.example', PHONE)
    ends.push(certificate.remove)
    const far = await phone({ transport: 'tls', certificate: certificate.file })
    const dialed = await dial({ port: far.port, transport: 'tls' })
    expect(await dialed.ended()).toMatchObject({ cause: 'failed', connectedMs: 0 })
    expect(far.output()).not.toContain('INVITE')
  })
})
