import type { NewReading, Readings } from '@parley/contract'
import { AppError } from '../../platform/errors.ts'
import type { CallsRoom } from '../room.ts'

/** What the words of an order are understood to allow, as a voice node reads them. Nothing is kept or logged of them. */
export async function readOrder(room: Pick<CallsRoom, 'log' | 'voice'>, order: NewReading): Promise<Readings> {
  try {
    return await room.voice.reading(order)
  } catch (cause) {
    room.log.warn({ err: cause }, 'order not read')
    throw new AppError('unavailable', 'The order cannot be read right now. It can be placed all the same.', { cause })
  }
}
