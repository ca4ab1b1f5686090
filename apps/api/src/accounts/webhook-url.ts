import { BlockList, isIP } from 'node:net'
import { AppError } from '../platform/errors.ts'
import { isLoopback } from '../platform/requests/hosts.ts'

/** Private and local networks. Names are checked at every connection (notices/outgoing.ts), since DNS can change. */
const inside = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  inside.addSubnet(net, prefix, 'ipv4')
}
for (const [net, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  inside.addSubnet(net, prefix, 'ipv6')
}

/** Throws for an address that cannot receive webhooks. A local installation may send to its own machine. */
export function checkWebhookUrl(text: string, publicUrl: string): void {
  const refuse = (message: string) => new AppError('webhook_url_refused', message, { field: 'webhookUrl' })
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw refuse('The webhook URL must not carry a user name or a password.')
  if (isLoopback(url.hostname) && isLoopback(new URL(publicUrl).hostname)) return
  if (url.protocol !== 'https:') throw refuse('The webhook URL must begin with https://.')
  if (isInside(url.hostname)) throw refuse('The webhook URL must be an address on the public internet.')
}

function isInside(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const family = isIP(host)
  if (family !== 0) return inside.check(host, family === 6 ? 'ipv6' : 'ipv4')
  return !host.includes('.') || /\.(localhost|local|internal|home\.arpa)$/.test(host)
}
