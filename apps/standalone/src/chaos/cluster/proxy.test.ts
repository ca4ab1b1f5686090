import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { Proxy } from './proxy.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

/** A server that says its name to each connection and then repeats what it hears. */
async function startEcho(name: string): Promise<AddressInfo> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.write(`${name}.`)
    socket.pipe(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  open.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return server.address() as AddressInfo
}

async function startProxy(...names: string[]): Promise<Proxy> {
  const to = await Promise.all(names.map(async (name) => ({ host: '127.0.0.1', port: (await startEcho(name)).port })))
  const proxy = await Proxy.listen({ to })
  open.push(() => proxy.close())
  return proxy
}

function dial({ host, port }: Proxy) {
  const socket = connect({ host, port })
  const seen = { text: '', isClosed: false }
  socket.setEncoding('utf8').on('data', (text: string) => (seen.text += text))
  socket.on('error', () => undefined).once('close', () => (seen.isClosed = true))
  open.push(() => socket.destroy())
  return { seen, send: (text: string) => socket.write(text) }
}

const heard = (line: ReturnType<typeof dial>, text: string) =>
  vi.waitFor(() => expect(line.seen.text).toBe(text), { timeout: 40_000, interval: 5 })
const closed = (line: ReturnType<typeof dial>) =>
  vi.waitFor(() => expect(line.seen.isClosed).toBe(true), { timeout: 40_000, interval: 5 })

test('passes everything on, each connection to the next of several', async () => {
  const proxy = await startProxy('a', 'b')
  const [one, other] = [dial(proxy), dial(proxy)]
  await vi.waitFor(() => expect([one.seen.text, other.seen.text].toSorted()).toEqual(['a.', 'b.']))
  one.send('x'.repeat(1_000_000))
  await heard(one, `${one.seen.text.slice(0, 2)}${'x'.repeat(1_000_000)}`)
})

test('takes the next one where nobody listens', async () => {
  const { port } = await startEcho('b')
  const proxy = await Proxy.listen({
    to: [
      { host: '127.0.0.1', port: 1 },
      { host: '127.0.0.1', port },
    ],
  })
  open.push(() => proxy.close())
  const line = dial(proxy)
  await heard(line, 'b.')
  expect(line.seen.isClosed).toBe(false)
})

test('delays what passes, in order', async () => {
  const proxy = await startProxy('a')
  const line = dial(proxy)
  await heard(line, 'a.')
  proxy.delay(150)
  const startedAt = performance.now()
  line.send('1')
  line.send('2')
  await heard(line, 'a.12')
  // There and back.
  expect(performance.now() - startedAt).toBeGreaterThan(290)
})

test('a reset cut closes what is open and what is begun, until it is healed', async () => {
  const proxy = await startProxy('a')
  const line = dial(proxy)
  await heard(line, 'a.')
  proxy.cut('reset')
  await closed(line)
  await closed(dial(proxy))
  proxy.heal()
  const after = dial(proxy)
  await heard(after, 'a.')
  expect(after.seen.isClosed).toBe(false)
})

test('a silent cut tells nobody, and resets what it swallowed when it is healed', async () => {
  const proxy = await startProxy('a')
  const [before, told] = [dial(proxy), dial(proxy)]
  await heard(before, 'a.')
  await heard(told, 'a.')
  proxy.cut('silent')
  before.send('lost')
  const during = dial(proxy)
  during.send('lost')
  // The echo of an open connection beside it takes less than this.
  const beside = dial(await startProxy('b'))
  beside.send('!')
  await heard(beside, 'b.!')
  expect([before.seen, told.seen, during.seen].map(({ text, isClosed }) => [text, isClosed])).toEqual([
    ['a.', false],
    ['a.', false],
    ['', false],
  ])
  proxy.heal()
  await Promise.all([before, told, during].map(closed))
  await heard(dial(proxy), 'a.')
})
