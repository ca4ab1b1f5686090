import type { Floor } from '../floor.ts'
import type { Outgoing } from './outgoing.ts'

/** What every part of this room works with. */
export interface NoticesRoom extends Floor {
  readonly outgoing: Outgoing
}
