import type { LiveMessage } from '@parley/contract'
import type { Floor } from '../floor.ts'
import { type Bus, userTopic } from '../platform/bus.ts'
import type { Voice } from './voice.ts'

/** What every part of this room works with. */
export interface CallsRoom extends Floor {
  readonly voice: Voice
}

/** Tells the person's pages, once the transaction is through. */
export function announce(bus: Bus, userId: string, messages: readonly LiveMessage[]): void {
  for (const message of messages) bus.publish(userTopic(userId), message)
}
