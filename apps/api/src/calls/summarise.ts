import { type CallSummary, SUMMARISED_TURNS_MAX } from '@parley/contract'
import { orderOf } from './placing/dial.ts'
import { turnsOf } from './read.ts'
import type { CallsRoom } from './room.ts'
import type { CallRow } from './schema.ts'

/**
 * Asks the mind for a new summary of an ended call, by its turns and the outcomes as they are kept. undefined: nothing of
 * what was said is kept, or no mind makes one.
 */
export async function summarise(
  { db, log, voice }: Pick<CallsRoom, 'db' | 'log' | 'voice'>,
  row: CallRow,
): Promise<CallSummary | undefined> {
  const { endReason, outcomes } = row
  const turns = (await turnsOf(db, row.id)).slice(-SUMMARISED_TURNS_MAX)
  if (turns.length === 0 || endReason === null) return undefined
  return voice.summarise({ order: orderOf(row), endReason, turns, outcomes }).catch((error: unknown) => {
    log.warn({ err: error, callId: row.id }, 'no summary by the mind')
    return undefined
  })
}
