import type { Cluster } from './cluster/cluster.ts'
import { linkOf } from './cluster/links.ts'
import type { Program } from './cluster/program.ts'
import type { Fault } from './schedule.ts'

type Victims = Pick<Cluster, 'programs' | 'links' | 'namespace' | 'killPostgres'>

/** Breaks what the fault says. Returns what ends it; what was killed is started again by itself. */
export async function strike(cluster: Victims, { kind, target, cut, delayMs }: Fault): Promise<() => Promise<void>> {
  const over = async () => undefined
  switch (kind) {
    case 'kill':
    case 'redis':
      programOf(cluster, target).signal('SIGKILL')
      return over
    case 'stop': {
      const program = programOf(cluster, target)
      program.signal('SIGSTOP')
      return async () => program.signal('SIGCONT')
    }
    case 'postgres':
      await cluster.killPostgres()
      return over
    case 'delay':
    case 'cut': {
      const link = linkOf(cluster.links, target)
      if (cut === undefined) link.delay(delayMs ?? 0)
      else link.cut(cut)
      return async () => link.heal()
    }
    case 'link':
      await cluster.namespace?.down()
      return async () => cluster.namespace?.up()
  }
}

function programOf({ programs }: Victims, name: string): Program {
  const program = programs.get(name)
  if (!program) throw new Error(`There is no process "${name}".`)
  return program
}
