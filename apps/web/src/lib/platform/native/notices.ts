import type { NoticePermission, Notices } from '../port.ts'
import type { Push } from './push.ts'
import { type Bridge, fieldsOf, textOf } from './bridge.ts'

const LOCAL = 'LocalNotifications'
const PUSH = 'PushNotifications'
const PERMISSIONS: Readonly<Record<string, NoticePermission>> = { granted: 'granted', denied: 'denied' }
/** Ids are positive 32-bit numbers. */
const ID_MAX = 0x7f_ff_ff_ff

/** Notifications by the system, while the app lives. */
export async function openNotices({ call, listen }: Bridge, push: Push): Promise<Notices> {
  const permissionIn = ({ display }: { readonly display?: unknown }) => PERMISSIONS[textOf(display)] ?? 'unasked'
  let permission: NoticePermission = await call(LOCAL, 'checkPermissions').then(permissionIn, () => 'unsupported')
  let open: ((callId: string) => void) | undefined
  /** Tapped before the page was there: the tap may have started the app. */
  let waiting: string | undefined
  const tapped = (data: unknown) => {
    const callId = textOf(fieldsOf(data)['callId'])
    if (!callId) return
    if (open) open(callId)
    else waiting = callId
  }
  listen(LOCAL, 'localNotificationActionPerformed', ({ notification }) => tapped(fieldsOf(notification)['extra']))
  listen(PUSH, 'pushNotificationActionPerformed', ({ notification }) => tapped(fieldsOf(notification)['data']))
  return {
    permission: () => permission,
    async ask() {
      permission = await call(LOCAL, 'requestPermissions').then(permissionIn, () => permission)
      if (permission === 'granted') push.begin()
    },
    async show({ callId, title, body }) {
      const id = idOf(callId)
      await call(LOCAL, 'schedule', { notifications: [{ id, title, body, extra: { callId } }] })
    },
    reachesClosed: () => push.reached,
    onReach: (listener) => push.onReach(listener),
    switched(on) {
      if (!on) void push.stop()
      else if (permission === 'granted') push.begin()
    },
    onOpen(listener) {
      open = listener
      if (waiting !== undefined) listener(waiting)
      waiting = undefined
      return () => {
        if (open === listener) open = undefined
      }
    },
  }
}

/** The same for the same call, so that a second notice replaces the first. */
function idOf(callId: string): number {
  let id = 0
  for (const letter of callId) id = (Math.imul(id, 31) + (letter.codePointAt(0) ?? 0)) & ID_MAX
  return id
}
