import { type Address, Proxy } from './proxy.ts'

export const APIS = ['api-1', 'api-2', 'api-3'] as const
export const WORKERS = ['worker-1', 'worker-2'] as const
export const VOICES = ['voice-1', 'voice-2', 'voice-3'] as const
/** It stands in a network namespace of its own, where one can be made. */
export const APART = 'voice-3'

/** Where each part listens, by its name. */
export type Places = ReadonlyMap<string, Address>

export function placeOf(places: Places, name: string): Address {
  const place = places.get(name)
  if (!place) throw new Error(`There is no part "${name}".`)
  return place
}

/** A proxy between any two parts that talk, by "<who calls> <who is called>". */
export type Links = ReadonlyMap<string, Proxy>

export const HERE = '127.0.0.1'

/** `outside`: this machine as the node apart sees it. */
export async function openLinks(places: Places, outside: string): Promise<Links> {
  const links = new Map<string, Proxy>()
  const add = async (name: string, to: readonly string[], host = HERE) =>
    void links.set(name, await Proxy.listen({ host, to: to.map((each) => placeOf(places, each)) }))
  const apis = APIS.filter((name) => places.has(name))
  for (const name of apis) await add(`client ${name}`, [name])
  for (const name of [...apis, ...WORKERS.filter((name) => places.has(name))])
    for (const called of ['postgres', 'redis', 'payments', 'bucket']) await add(`${name} ${called}`, [called])
  for (const name of VOICES.filter((each) => places.has(each))) {
    const host = name === APART ? outside : HERE
    await add(`${name} api`, ['relay'], host)
    await add(`${name} redis`, ['redis'], host)
    await add(`api ${name}`, [name])
  }
  await add('payments api', apis)
  await add('worker receiver', ['receiver'])
  return links
}

export function linkOf(links: Links, name: string): Proxy {
  const link = links.get(name)
  if (!link) throw new Error(`There is no link "${name}".`)
  return link
}

/** An address of the link, as `scheme://host:port`. */
export function urlOf(links: Links, name: string, scheme = 'http'): string {
  const { host, port } = linkOf(links, name)
  return `${scheme}://${host}:${port}`
}
