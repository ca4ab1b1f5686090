import { createSocket, type Socket } from 'node:dgram'

export interface ImpairedRelayOptions {
  /** The trunk's own address: requests of the trunk come from there past the relay. */
  readonly address: string
  readonly trunkPort: number
  /** When a packet of sound arrives behind its way, in ms; null: it is lost. */
  readonly impair: () => number | null
}

type At = { readonly address: string; readonly port: number }

/**
 * A network between us and a trunk over UDP. It carries the sound of one call too: both ends are told its own ports in the
 * place of each other's.
 */
export async function impairedRelay({ address, trunkPort, impair }: ImpairedRelayOptions) {
  const [signalOut, signalIn, soundOut, soundIn] = await Promise.all([1, 2, 3, 4].map(() => bound(address)))
  if (!signalOut || !signalIn || !soundOut || !soundIn) throw new Error('unreachable')
  const counts = { passed: 0, lost: 0 }
  const underWay = new Set<NodeJS.Timeout>()
  let us: At | null = null
  let ourSound: At | null = null
  let theirSound: At | null = null
  signalOut.on('message', (bytes, from) => {
    us = from
    const told = redirected(bytes, { address, port: soundIn.address().port })
    ourSound = told.sound ?? ourSound
    signalIn.send(told.bytes, trunkPort, address)
  })
  signalIn.on('message', (bytes) => {
    const told = redirected(bytes, { address, port: soundOut.address().port })
    theirSound = told.sound ?? theirSound
    if (us) signalOut.send(told.bytes, us.port, us.address)
  })
  const pass = (bytes: Buffer, from: Socket, to: At | null) => {
    const delayMs = impair()
    if (delayMs === null || !to) return void counts.lost++
    counts.passed++
    const timer = setTimeout(() => {
      underWay.delete(timer)
      from.send(bytes, to.port, to.address, () => undefined)
    }, delayMs)
    underWay.add(timer)
  }
  soundOut.on('message', (bytes) => pass(bytes, soundIn, theirSound))
  soundIn.on('message', (bytes) => pass(bytes, soundOut, ourSound))
  return {
    port: signalOut.address().port,
    counts,
    close: () => {
      for (const timer of underWay) clearTimeout(timer)
      for (const socket of [signalOut, signalIn, soundOut, soundIn]) socket.close()
    },
  }
}

/** The message with another place for its sound, and the place that it named; as it is without a session description. */
function redirected(bytes: Buffer, to: At): { readonly bytes: Buffer; readonly sound: At | null } {
  const text = bytes.toString('latin1')
  const at = text.indexOf('\r\n\r\n') + 4
  const body = text.slice(at)
  const port = /^m=audio (\d+)/m.exec(body)?.[1]
  const address = /^c=IN IP4 (\S+)/m.exec(body)?.[1]
  if (port === undefined || address === undefined) return { bytes, sound: null }
  const told = body
    .replace(/^m=audio \d+/m, `m=audio ${to.port}`)
    .replace(/^c=IN IP4 \S+/gm, `c=IN IP4 ${to.address}`)
    .replace(/^a=rtcp:.*\r\n/gm, '')
  const head = text.slice(0, at).replace(/^(content-length|l)\s*:\s*\d+/im, `$1: ${Buffer.byteLength(told, 'latin1')}`)
  return { bytes: Buffer.from(head + told, 'latin1'), sound: { address, port: Number(port) } }
}

async function bound(address: string): Promise<Socket> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => void socket.bind({ address, port: 0 }, resolve))
  return socket
}
