import type { PushKeys } from '../../config-phones.ts'
import { createApns } from './apns.ts'
import { createFcm } from './fcm.ts'
import type { PushSenders } from './port.ts'

export function createPushSenders({ apns, fcm }: PushKeys): PushSenders {
  return { ...(apns && { ios: createApns(apns) }), ...(fcm && { android: createFcm(fcm) }) }
}
