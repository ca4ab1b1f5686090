import { Session } from 'node:inspector/promises'

const SAMPLED_EVERY_US = 200

/** Of the samples of a profile. */
export interface Shares {
  /** In calls of functions of these files, of all that is not idle. */
  readonly share: number
  readonly samples: number
}

/** Profiles some work. A share of samples does not depend on how much of a processor the process is given. */
export async function sharesOf(files: RegExp, work: () => Promise<unknown>): Promise<Shares> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLED_EVERY_US })
  await session.post('Profiler.start')
  await work()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  )
  const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]))
  const isOurs = (id: number | undefined): boolean =>
    id !== undefined && (files.test(nodes.get(id)?.url ?? '') || isOurs(parents.get(id)))
  const busy = (profile.samples ?? []).filter((id) => nodes.get(id)?.functionName !== '(idle)')
  // Collections of garbage stand under no function: they are left out of both.
  const worked = busy.filter((id) => nodes.get(id)?.functionName !== '(garbage collector)')
  return { share: worked.filter((id) => isOurs(id)).length / worked.length, samples: worked.length }
}
