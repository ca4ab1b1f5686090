import { AppleUnavailable, type Notices, type Platform } from './port.ts'

const notices: Notices = {
  permission() {
    if (!('Notification' in globalThis) || !('serviceWorker' in navigator)) return 'unsupported'
    const { permission } = Notification
    return permission === 'default' ? 'unasked' : permission
  },
  async ask() {
    await Notification.requestPermission()
  },
  async show({ callId, title, body }) {
    const { ready } = navigator.serviceWorker
    const registration = await ready
    await registration.showNotification(title, { body, tag: callId, icon: '/icons/icon-192.png', data: { callId } })
  },
  switched: () => undefined,
  reachesClosed: () => undefined,
  onReach: () => () => undefined,
  onOpen(open) {
    const listen = ({ data }: MessageEvent<unknown>) => {
      const isOpenCall = typeof data === 'object' && data !== null && 'type' in data && data.type === 'open_call'
      if (isOpenCall && 'callId' in data && typeof data.callId === 'string') open(data.callId)
    }
    const container: ServiceWorkerContainer | undefined = navigator.serviceWorker
    container?.addEventListener('message', listen)
    return () => container?.removeEventListener('message', listen)
  },
}

/** The browser's side: same origin, cookies, plain links. */
export const web: Platform = {
  kind: 'web',
  where: 'browser',
  apiBase: '',
  credentials: 'include',
  offersApple: false,
  offersPasskeys: true,
  hasWorker: true,
  memory: () => sessionStorage,
  notices,
  lock: undefined,
  pickContact: undefined,
  headers: () => ({}),
  received: () => undefined,
  sessionEnded: () => undefined,
  // The server ends the session and redirects to the landing page.
  signOut: async (path) => location.assign(path),
  socketUrl: (path) => location.origin.replace(/^http/, 'ws') + path,
  mediaUrl: (path) => path,
  download: async (path) => location.assign(path),
  async saveText(name, text) {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: name })
    link.click()
    // The browser reads the file in a later task.
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  },
  returnUrl: (path) => new URL(path, location.origin).href,
  followGoogle: () => undefined,
  signInWithApple: () => Promise.reject(new AppleUnavailable('Apple Sign In only available on iOS')),
  onLink: () => undefined,
  onFailure: () => undefined,
  callEnded: () => undefined,
}
