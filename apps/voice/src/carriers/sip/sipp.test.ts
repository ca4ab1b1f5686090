import { systemClock } from '@parley/voice-ports'
import { afterEach, describe, expect, it } from 'vitest'
import { lossyRelay } from './testing/relay.ts'
import { Dialed } from './testing/dialed.ts'
import { fakeMedia } from './testing/fake-media.ts'
import { ask, isInstalled, pause, recv, recvInvite, send, type SendFields, type Sipp, sipp } from './testing/sipp.ts'
import { trunkFile } from './testing/trunk.ts'

const TRUNK = '127.0.0.21'
const WITH_SDP: SendFields = { sdp: true }
const ends: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function trunk(steps: readonly string[], transport: 'u1' | 't1' = 'u1'): Promise<Sipp> {
  const far = await sipp(TRUNK, steps, transport)
  ends.push(() => far.kill())
  return far
}

async function dial(far: Sipp, fields: Readonly<Record<string, unknown>> = {}, speed = 1): Promise<Dialed> {
  const file = trunkFile([{ host: TRUNK, port: far.port, ...fields }])
  const { openMedia } = fakeMedia()
  const dialed = await Dialed.to(file, openMedia, {}, systemClock(speed))
  ends.push(() => dialed.carrier.close())
  return dialed
}

const scenarioDone = async (far: Sipp) => expect(await far.done).toEqual({ code: 0, output: expect.any(String) })

describe.skipIf(!isInstalled('sipp'))('SIP carrier with sipp as the trunk', () => {
  it.each([
    ['486 Busy Here', 'busy'],
    ['480 Temporarily Unavailable', 'no_answer'],
    ['603 Decline', 'busy'],
    ['404 Not Found', 'not_in_service'],
    ['503 Service Unavailable', 'failed'],
  ])('ends a call that meets %s as %s, and acknowledges', async (status, cause) => {
    const far = await trunk([recvInvite, send('100 Trying'), send(status), recv('ACK')])
    const dialed = await dial(far)
    expect(await dialed.ended()).toMatchObject({ cause, code: status.slice(0, 3), connectedMs: 0 })
    await scenarioDone(far)
  })

  it.each(['u1', 't1'] as const)('rings with early media, is answered and hangs up (%s)', async (transport) => {
    const steps = [
      recvInvite,
      send('183 Session Progress', WITH_SDP),
      pause(200),
      send('200 OK', WITH_SDP),
      recv('ACK'),
    ]
    const far = await trunk([...steps, recv('BYE'), send('200 OK')], transport)
    const dialed = await dial(far, { transport: transport === 't1' ? 'tcp' : 'udp' })
    await dialed.until(() => dialed.has('answered'))
    expect(dialed.types).toEqual(['placed', 'ringing', 'media up', 'answered'])
    dialed.leg.hangUp()
    expect(await dialed.ended()).toMatchObject({ cause: 'local' })
    await scenarioDone(far)
  })

  it.each(['u1', 't1'] as const)('takes the BYE of the far end with its Reason (%s)', async (transport) => {
    const answered = [recvInvite, send('180 Ringing'), send('200 OK', WITH_SDP), recv('ACK'), pause(500)]
    const far = await trunk([...answered, ask('BYE', ['Reason: Q.850;cause=16'])], transport)
    const dialed = await dial(far, { transport: transport === 't1' ? 'tcp' : 'udp' })
    const end = await dialed.ended()
    expect(end.cause).toBe('remote')
    expect(end.connectedMs).toBeGreaterThanOrEqual(450)
    expect(end.connectedMs).toBeLessThan(3000)
    await scenarioDone(far)
  })

  it.each([
    ['with Via', false],
    ['without Via', true],
  ])('withdraws by CANCEL and takes a 487 %s', async (_, withoutVia) => {
    const terminated = send('487 Request Terminated', { cseq: '1 INVITE', withoutVia })
    const far = await trunk([recvInvite, send('180 Ringing'), recv('CANCEL'), send('200 OK'), terminated, recv('ACK')])
    const dialed = await dial(far)
    await dialed.until(() => dialed.has('ringing'))
    dialed.leg.hangUp()
    expect(await dialed.ended()).toMatchObject({ cause: 'canceled', connectedMs: 0 })
    await scenarioDone(far)
  })

  it('answers a 401 so that sipp accepts the digest', async () => {
    const challenge =
      'WWW-Authenticate: Digest realm="trunk", nonce="47ebe028cda119c35d4877b383027d28", algorithm=MD5, qop="auth"'
    const verify = '<action><verifyauth assign_to="ok" username="parley" password="s3cret"/></action>'
    const far = await trunk([
      recvInvite,
      send('401 Unauthorized', { headers: [challenge] }),
      recv('ACK'),
      recv('INVITE', 'auth="true"', verify),
      '<nop test="ok" next="1"/>',
      '<nop><action><error message="wrong digest"/></action></nop>',
      '<label id="1"/>',
      send('200 OK', WITH_SDP),
      recv('ACK'),
      ask('BYE'),
    ])
    const dialed = await dial(far, { username: 'parley', password: 's3cret' })
    expect(await dialed.ended()).toMatchObject({ cause: 'remote' })
    await scenarioDone(far)
  })

  it('refuses a 302 to another number', async () => {
    const moved = send('302 Moved').replace('sip:far@', 'sip:+19005550100@')
    const far = await trunk([recvInvite, moved, recv('ACK')])
    const dialed = await dial(far)
    expect(await dialed.ended()).toMatchObject({ cause: 'failed', code: '302' })
    await scenarioDone(far)
  })

  it('is answered although the network loses the first INVITE, two 200 and the first ACK', async () => {
    const answer = send('200 OK', WITH_SDP).replace('<send>', '<send retrans="500">')
    const far = await trunk([recvInvite, answer, recv('ACK'), ask('BYE')])
    const lost = await lossyRelay('127.0.0.23', TRUNK, far.port, ['INVITE', 'SIP/2.0 200', 'SIP/2.0 200', 'ACK'])
    ends.push(lost.close)
    const dialed = await Dialed.to(trunkFile([{ host: '127.0.0.23', port: lost.port }]), fakeMedia().openMedia)
    ends.push(() => dialed.carrier.close())
    expect(await dialed.ended()).toMatchObject({ cause: 'remote' })
    expect(lost.left()).toEqual([])
    expect(dialed.types.filter((type) => type === 'answered')).toHaveLength(1)
  })

  it('ends a call as dropped when the trunk dies in it', async () => {
    const far = await trunk([recvInvite, send('200 OK', WITH_SDP), recv('ACK'), recv('BYE')])
    const dialed = await dial(far, {}, 10)
    await dialed.until(() => dialed.has('answered'))
    far.kill()
    expect(await dialed.ended()).toMatchObject({ cause: 'dropped', code: '408' })
  })

  it('takes the second trunk when nothing listens at the first', async () => {
    const far = await trunk([recvInvite, send('200 OK', WITH_SDP), recv('ACK'), recv('BYE'), send('200 OK')])
    const file = trunkFile([
      { name: 'dead', host: '127.0.0.22', port: 9, transport: 'tcp' },
      { name: 'live', host: TRUNK, port: far.port },
    ])
    const dialed = await Dialed.to(file, fakeMedia().openMedia)
    ends.push(() => dialed.carrier.close())
    await dialed.until(() => dialed.has('answered'))
    dialed.leg.hangUp()
    expect(await dialed.ended()).toMatchObject({ cause: 'local' })
    await scenarioDone(far)
  })
})
