import net from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createOutgoing } from './outgoing.ts'
import { startReceiver } from './testing.ts'

let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  receiver = await startReceiver()
})
afterEach(() => Object.assign(receiver, { answer: { status: 200, body: 'ok', headers: {} }, hangs: false }))
afterAll(() => receiver.close())

describe('createOutgoing', () => {
  const FORBIDDEN = [
    'https://127.0.0.1/',
    'https://127.1.2.3/',
    'https://localhost/',
    'https://[::1]/',
    'https://0.0.0.0/',
    'https://[::]/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fc00::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://224.0.0.1/',
    'https://[ff02::1]/',
    'https://192.0.2.1/',
    'http://203.0.113.7/',
    'https://user:password@example.com/',
    'ftp://example.com/',
    'nonsense',
  ]

  test.each(FORBIDDEN)('connects to no socket for %s', async (url) => {
    const connect = vi.spyOn(net.Socket.prototype, 'connect')
    const answer = await createOutgoing({ loopback: false }).post(url, {}, '{}')
    const addresses = connect.mock.calls.flatMap(([options]) => (Array.isArray(options) ? options : [options]))
    connect.mockRestore()
    expect(answer).toMatchObject({ problem: expect.any(String) })
    // A socket that only looks up a name does not connect. Other connections of this process use other ports.
    const reached = addresses.filter((options) => net.isIP(String(Object(options).host)) !== 0)
    expect(reached.filter((options) => [80, 443].includes(Number(Object(options).port)))).toEqual([])
  })

  test('posts to loopback addresses only with loopback on', async () => {
    expect(await createOutgoing({ loopback: true }).post(receiver.url, {}, '{}')).toEqual({ status: 200, text: 'ok' })
    expect(await createOutgoing({ loopback: true }).post('https://10.0.0.1/', {}, '{}')).toHaveProperty('problem')
    expect(await createOutgoing({ loopback: false }).post(receiver.url, {}, '{}')).toHaveProperty('problem')
  })

  test('keeps 2,000 characters of an answer and gives up after 5 s', async () => {
    receiver.answer = { status: 200, body: 'x'.repeat(10_000_000), headers: {} }
    const long = await createOutgoing({ loopback: true }).post(receiver.url, {}, '{}')
    expect(long).toEqual({ status: 200, text: 'x'.repeat(2000) })
    receiver.hangs = true
    // Both timers are of this process: what delays one delays the other.
    const answer = await Promise.race([
      createOutgoing({ loopback: true }).post(receiver.url, {}, '{}'),
      wait(8000, 'nothing yet'),
    ])
    expect(answer).toEqual({ problem: 'It did not answer within 5 seconds.' })
  })
})
