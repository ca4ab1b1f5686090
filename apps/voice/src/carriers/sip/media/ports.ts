import { createSocket, type Socket } from 'node:dgram'
import { randomInt } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { MediaError } from '../media-port.ts'

/** Ports of RTP are even, those of RTCP the next odd ones (RFC 3550, section 11). Both ends belong to it. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

export const DEFAULT_PORTS: PortRange = { first: 40_000, last: 43_999 }

export interface PortPair {
  readonly rtp: Socket
  readonly rtcp: Socket
  readonly port: number
}

/** Addresses are literal, and no name of a far end is ever looked up. */
function openSocket(isV6: boolean): Socket {
  const lookup = (
    host: string,
    _options: unknown,
    found: (error: NodeJS.ErrnoException | null, address: string, family: number) => void,
  ) => found(null, host, isV6 ? 6 : 4)
  return createSocket({ type: isV6 ? 'udp6' : 'udp4', lookup })
}

function bound(socket: Socket, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ address, port, exclusive: true }, () => {
      socket.off('error', reject)
      resolve()
    })
  })
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Null: the pair is taken. */
async function bindPair(address: string, port: number): Promise<PortPair | null> {
  const rtp = openSocket(isIPv6(address))
  const rtcp = openSocket(isIPv6(address))
  try {
    await bound(rtp, address, port)
    await bound(rtcp, address, port + 1)
    return { rtp, rtcp, port }
  } catch (error) {
    rtp.close()
    rtcp.close()
    const code = codeOf(error)
    if (code === 'EADDRINUSE' || code === 'EACCES') return null
    throw new MediaError(`RTP cannot listen on ${address}: ${code || String(error)}.`)
  }
}

/**
 * Binds a free pair of ports, beginning anywhere in the range: a packet that comes late for a leg that is over seldom
 * meets the next one. @throws MediaError when none is free or the address is not ours
 */
export async function bindPorts(address: string, { first, last }: PortRange): Promise<PortPair> {
  const start = first + (first % 2)
  const pairs = Math.floor((last - start + 1) / 2)
  if (!(start >= 1024 && last <= 65_535 && pairs >= 1))
    throw new MediaError(`The range of RTP ports ${first}–${last} holds no pair between 1024 and 65535.`)
  const offset = randomInt(pairs)
  for (let i = 0; i < pairs; i++) {
    const pair = await bindPair(address, start + 2 * ((offset + i) % pairs))
    if (pair) return pair
  }
  throw new MediaError(
    `No pair of RTP ports is free in ${first}–${last} on ${address}; widen the range or take fewer calls.`,
  )
}
