import { createServer, type RequestListener, type Server } from 'node:http'
import { expect, test } from 'vitest'
import { readArguments } from './config.ts'
import { checkPorts, furtherVoicePorts } from './ports.ts'
import { freePort, freePorts } from './world.ts'

async function portsWith(voicePort: number) {
  return { port: await freePort(), voicePort, internalPort: await freePort(), paymentsPort: undefined }
}

async function listening(answer: (server: Server) => RequestListener): Promise<{ server: Server; port: number }> {
  const port = await freePort()
  const server = createServer()
  server.on('request', answer(server))
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return { server, port }
}

const DRAINING = JSON.stringify({ status: 'draining', calls: 1, capacity: 10, carrier: 'simulated', mind: 'scripted' })

test('waits for a draining voice service of an earlier run', async () => {
  let asked = 0
  const { port } = await listening((server) => (_request, response) => {
    asked += 1
    response.setHeader('connection', 'close').end(DRAINING)
    if (asked === 2) server.close()
  })
  await checkPorts(await portsWith(port))
  expect(asked).toBe(2)
})

test('a voice service that ends during the request is not another program', async () => {
  let asked = 0
  const { port } = await listening((server) => (request) => {
    asked += 1
    server.close()
    request.socket.destroy()
  })
  await checkPorts(await portsWith(port))
  expect(asked).toBe(1)
})

test('waits for a port that is freed a moment later', async () => {
  const { server, port } = await listening(() => () => undefined)
  setTimeout(() => server.close(), 500)
  await expect(checkPorts({ ...(await portsWith(await freePort())), port })).resolves.toBeUndefined()
})

test('refuses VOICE_PORT at once when another program answers there', async () => {
  const { server, port } = await listening(() => (_request, response) => void response.end('hello'))
  await expect(checkPorts(await portsWith(port))).rejects.toThrow(`VOICE_PORT=${port} is in use by another program.`)
  server.close()
})

test('refuses a port above 65535', async () => {
  await expect(checkPorts({ ...(await portsWith(await freePort())), internalPort: 65_537 })).rejects.toThrow(
    'INTERNAL_PORT=65537 is beyond the last port, 65535. Set PORT lower, or INTERNAL_PORT itself.',
  )
})

test('finds free ports for further voice services beyond those of the product', async () => {
  const first = await freePorts([0, 1, 2, 3, 4, 5])
  const named = { port: first, voicePort: first + 1, internalPort: first + 2, paymentsPort: undefined }
  const server = createServer()
  await new Promise<void>((done) => server.listen(first + 4, '127.0.0.1', done))
  expect(await furtherVoicePorts({ ...named, voices: 3 })).toEqual([first + 3, first + 5])
  expect(await furtherVoicePorts({ ...named, voices: 1 })).toEqual([])
  await new Promise((done) => server.close(done))
  await expect(furtherVoicePorts({ ...named, port: 65_535, voices: 2 })).rejects.toThrow('not enough free ports')
})

test.each([
  [[], 1],
  [['--voices', '3'], 3],
  [['--voices=16'], 16],
])('reads the arguments %j as %i voice services', (args, voices) => {
  expect(readArguments(args)).toEqual({ voices })
})

test.each([
  [['--voices', '0'], 'takes --voices <number>, from 1 to 16, not "0".'],
  [['--voices', 'three'], 'takes --voices <number>, from 1 to 16, not "three".'],
  [['--voices', '17'], 'takes --voices <number>, from 1 to 16, not "17".'],
  [['--voices', '1.5'], 'takes --voices <number>, from 1 to 16, not "1.5".'],
  [['--voices'], 'and no other argument, not "--voices".'],
  [['--voice', '3'], 'and no other argument, not "--voice 3".'],
])('refuses the arguments %j in one sentence', (args, sentence) => {
  expect(() => readArguments(args)).toThrow(sentence)
})
