import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answering, ask, start } from '../telephony/children.ts'
import { type BareSocket, bareSockets } from '../telephony/frames.ts'
import type { CoreOrder, FarQuestion, Held } from './shapes.ts'

// The lower bound: the same bytes between the same sockets, unread.

const HOST = '127.0.0.1'
/** A frame of mu-law, and the parts that a stretch of the mouth is passed on in. */
const FRAME_BYTES = 160
const PARTS = 10
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function open(url: string): BareSocket {
  const { WebSocket } = bareSockets()
  const socket: BareSocket = new WebSocket(url, { perMessageDeflate: false })
  socket.on('error', () => socket.terminate())
  return socket
}

async function hold({ calls, settleMs, measureMs }: CoreOrder): Promise<Held> {
  const far = start('far', '', '../real-wire/main.ts')
  const { url } = await ask<{ url: string }>(far, { type: 'streams' })
  const { WebSocketServer } = bareSockets()
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const server = createServer()
  server.on('upgrade', (request, raw, head) => {
    sockets.handleUpgrade(request, raw, head, (phone) => {
      const [ear, mouth] = [open(`${url}/ear`), open(`${url}/mouth`)]
      let isOpen = false
      ear.on('open', () => (isOpen = true))
      ear.on('message', () => undefined)
      phone.on('error', () => phone.terminate())
      phone.on('message', (data) => {
        if (isOpen) ear.send(data.subarray(0, FRAME_BYTES))
      })
      mouth.on('message', (data) => {
        const size = Math.ceil(data.length / PARTS)
        for (let at = 0; at < data.length; at += size) phone.send(data.toString('latin1', at, at + size))
      })
    })
  })
  await new Promise<void>((done) => server.listen(0, HOST, done))
  const { port } = server.address() as AddressInfo
  const question: FarQuestion = { type: 'phones', calls, url: `ws://${HOST}:${port}` }
  await ask(far, question)
  await wait(settleMs)
  const [before, sinceMs] = [process.cpuUsage(), performance.now()]
  await wait(measureMs)
  const { user, system } = process.cpuUsage(before)
  const cpu = (user + system) / 1000 / (performance.now() - sinceMs)
  far.disconnect()
  return { cpu, replyMs: [], timerMs: [] }
}

export const runRelay = () => answering(hold)
