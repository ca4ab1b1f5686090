import { createSocket, type Socket } from 'node:dgram'

/** A network between us and a trunk that loses the first datagrams that begin so, in any order. */
export async function lossyRelay(address: string, trunkAddress: string, trunkPort: number, losses: readonly string[]) {
  const left = [...losses]
  const outside = await bound(address)
  const inside = await bound(address)
  let us: { readonly address: string; readonly port: number } | null = null
  const isLost = (bytes: Buffer): boolean => {
    const at = left.findIndex((start) => bytes.toString('latin1', 0, start.length) === start)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }
  outside.on('message', (bytes, from) => {
    us = from
    if (!isLost(bytes)) inside.send(bytes, trunkPort, trunkAddress)
  })
  inside.on('message', (bytes) => {
    if (us && !isLost(bytes)) outside.send(bytes, us.port, us.address)
  })
  return {
    port: outside.address().port,
    /** What was not lost yet. */
    left: () => left,
    close: () => {
      outside.close()
      inside.close()
    },
  }
}

async function bound(address: string): Promise<Socket> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => void socket.bind({ address, port: 0 }, resolve))
  return socket
}
