import { LIVE_CLOSE, type LiveMessage } from '@parley/contract'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws'
import { LiveChannel, parseLiveMessage, reconnectDelayMs } from './live.ts'

let server: WebSocketServer
let url: string
let channel: LiveChannel

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws?userId=u1`
  channel = new LiveChannel()
})

afterEach(async () => {
  vi.restoreAllMocks()
  channel.close()
  for (const socket of server.clients) socket.terminate()
  await new Promise((resolve) => server.close(resolve))
})

const nextSocket = async (): Promise<ServerSocket> => (await once(server, 'connection'))[0] as ServerSocket
const until = (fact: () => void) => vi.waitFor(fact, { timeout: 40_000, interval: 10 })

async function open(): Promise<ServerSocket> {
  const connection = nextSocket()
  channel.open(url)
  const socket = await connection
  await until(() => expect(channel.connected.getState()).toBe(true))
  return socket
}

describe('live socket', () => {
  it('passes messages of known types to subscribers and ignores others', async () => {
    const heard: LiveMessage[] = []
    const unsubscribe = channel.subscribe({ onMessage: (message) => heard.push(message) })
    const socket = await open()
    for (const text of ['not json', '{"type":"from_a_newer_server"}', '{"type":"credits","creditBalance":"9"}'])
      socket.send(text)
    await until(() => expect(heard).toEqual([{ type: 'credits', creditBalance: '9' }]))
    unsubscribe()
    const other: LiveMessage[] = []
    channel.subscribe({ onMessage: (message) => other.push(message) })
    socket.send('{"type":"call_completed","callId":"c1"}')
    await until(() => expect(other).toHaveLength(1))
    expect(heard).toHaveLength(1)
  })

  // screens.md: comes-back-after-loss
  it('reconnects after a loss and tells its subscribers to refetch', async () => {
    const states: boolean[] = []
    channel.connected.subscribe((connected) => states.push(connected))
    const onReconnected = vi.fn<() => void>()
    channel.subscribe({ onReconnected })
    const first = await open()
    expect(onReconnected).not.toHaveBeenCalled()
    const second = nextSocket()
    first.terminate()
    await second
    await until(() => expect(onReconnected).toHaveBeenCalledTimes(1))
    expect(states).toEqual([true, false, true])
  })

  it('stays closed after close()', async () => {
    const socket = await open()
    const closed = once(socket, 'close')
    channel.close()
    await closed
    expect(channel.connected.getState()).toBe(false)
    channel.hurry()
    expect(server.clients.size).toBe(0)
  })

  it('does not reconnect after an unauthenticated close', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const refused = await open()
    const onRefused = vi.fn<() => void>()
    channel.subscribe({ onRefused })
    // A second line with the same back-off, lost right after: when it is back, the first one's time is over.
    const other = new LiveChannel()
    const connection = nextSocket()
    other.open(`${url}-other`)
    const lost = await connection
    const returns: (string | undefined)[] = []
    server.on('connection', (_, { url: path }) => returns.push(path))
    refused.close(LIVE_CLOSE.unauthenticated)
    await until(() => expect(channel.connected.getState()).toBe(false))
    lost.terminate()
    await until(() => expect(returns).toHaveLength(1))
    expect(returns).toEqual(['/ws?userId=u1-other'])
    expect(onRefused).toHaveBeenCalledTimes(1)
    other.close()
  })

  it('reconnects at once when the network is back', async () => {
    const first = await open()
    const second = nextSocket()
    // As soon as the line is lost: later it would have come back by itself.
    const stop = channel.connected.subscribe(() => {
      stop()
      queueMicrotask(() => channel.hurry())
    })
    first.terminate()
    await second
    await until(() => expect(channel.connected.getState()).toBe(true))
    expect(server.clients.size).toBe(1)
  })
})

it('backs off exponentially with jitter, up to 15 s', () => {
  const delays = (random: number) => [0, 1, 2, 10, 1000].map((attempt) => reconnectDelayMs(attempt, () => random))
  expect(delays(0)).toEqual([250, 500, 1000, 7500, 7500])
  expect(delays(1)).toEqual([500, 1000, 2000, 15_000, 15_000])
})

it('parses only text with a known type', () => {
  expect(parseLiveMessage(new ArrayBuffer(2))).toBeUndefined()
  expect(parseLiveMessage('[]')).toBeUndefined()
  expect(parseLiveMessage('{"type":"toString"}')).toBeUndefined()
  expect(parseLiveMessage('{"type":"connected","userId":"u1"}')).toEqual({ type: 'connected', userId: 'u1' })
})
