import { BRAND, SHELL_RETURN_PATH } from '@parley/contract'
import { accountsRoutes } from '@parley/contract/page'
import type { Platform } from '../port.ts'
import { type Api, openApi } from './api.ts'
import { signInWithApple } from './apple.ts'
import { type Bridge, openBridge, textOf } from './bridge.ts'
import { pickContact } from './contacts.ts'
import { Files } from './files.ts'
import { fitIn } from './frame.ts'
import { finishSignIn, openGoogle } from './google.ts'
import { takeClicks, wantedBy } from './links.ts'
import { openLock } from './lock.ts'
import { visitMemory } from './memory.ts'
import { openNotices } from './notices.ts'
import { Push } from './push.ts'
import { openVault, SessionToken, type Vault } from './token.ts'

/** The link that started this run of the app: a reload of the page must not follow it again. */
const LAUNCH_KEY = 'parley.launch'

/**
 * The shell's side: a token in secure storage, tickets, and the device's own dialogs. `stop` gives clicks on links back
 * to the page.
 */
export async function startNative(
  bridge: Bridge = openBridge(),
  navigate: (url: string) => void = (url) => location.assign(url),
): Promise<{ readonly side: Platform; readonly stop: () => void }> {
  const vault = openVault(bridge)
  const token = await SessionToken.load(vault)
  const api = openApi(bridge, token)
  const push = new Push(bridge, api)
  const notices = await openNotices(bridge, push)
  const resumePush = () => notices.permission() === 'granted' && push.resume()
  if (token.isThere) resumePush()
  const files = new Files(bridge, api)
  const outside = (url: string) =>
    url === api.base + accountsRoutes.loginPage.path ? navigate('/login') : openOutside(bridge, url, navigate)
  const endSession = () => {
    visitMemory.clear()
    push.forget()
    return token.forget()
  }
  let tellFailure: () => void = () => undefined
  /** The user asked for it and sees its result on the screen, so only a failure is told. */
  const tried = (done: Promise<void>) => done.catch(() => tellFailure())
  const download = (path: string) => tried(files.load(path).then(({ name, blob }) => files.share(name, blob)))
  const stop = takeClicks(document, api.base, { outside, file: (path) => void download(path) })
  fitIn(bridge)
  const onLink = await followLinks(bridge, vault, api)
  const side: Platform = {
    kind: bridge.platform,
    where: 'phone',
    apiBase: api.base,
    credentials: 'omit',
    offersApple: bridge.platform === 'ios',
    offersPasskeys: false,
    hasWorker: false,
    memory: () => visitMemory,
    notices,
    lock: openLock(bridge),
    pickContact: () => pickContact(bridge),
    headers: api.headers,
    received(headers) {
      const isNew = !token.isThere
      const stored = token.received(headers)
      if (isNew && token.isThere) resumePush()
      return stored
    },
    sessionEnded: endSession,
    async signOut(path) {
      await api.send(path).catch(() => undefined)
      await endSession()
      location.assign('/')
    },
    socketUrl: async (path) => api.base.replace(/^http/, 'ws') + (await api.withTicket(path)),
    mediaUrl: async (path) => URL.createObjectURL((await files.load(path)).blob),
    download,
    saveText: (name, text) => tried(files.share(name, new Blob([text]))),
    returnUrl: (path) => `${api.base}${SHELL_RETURN_PATH}?${new URLSearchParams({ to: path }).toString()}`,
    followGoogle(event) {
      event.preventDefault()
      void tried(openGoogle(bridge, vault, api.base))
    },
    signInWithApple: () => signInWithApple(bridge),
    onLink,
    onFailure: (listener) => void (tellFailure = listener),
    callEnded: () => bridge.tell('Haptics', 'notification', { type: 'SUCCESS' }),
  }
  return { side, stop }
}

/** In the in-app browser with the product's colour; by plain navigation if there is none. */
function openOutside({ call }: Bridge, url: string, navigate: (url: string) => void): void {
  call('Browser', 'open', { url, toolbarColor: BRAND.toolbarColor }).catch(() => navigate(url))
}

/**
 * Follows links that open the app. The one that started it decides on the first page; later ones go to the router once
 * it is there.
 */
async function followLinks(bridge: Bridge, vault: Vault, api: Api): Promise<Platform['onLink']> {
  let open: ((path: string) => void) | undefined
  const launch = await launchLink(bridge)
  const follow = async (link: string, show: (path: string) => void, restart: (path: string) => void) => {
    const wanted = wantedBy(link, api.base)
    if (wanted?.kind === 'page') show(wanted.path)
    else if (wanted) restart(await finishSignIn(bridge, vault, api, wanted.answer))
  }
  const replace = (path: string) => history.replaceState(null, '', path)
  if (launch !== undefined) await follow(launch, replace, replace)
  let last = launch
  bridge.listen('App', 'appUrlOpen', ({ url }) => {
    const link = textOf(url)
    // The system may tell the first link twice.
    const isRepeated = link === last
    last = undefined
    if (isRepeated) return
    bridge.tell('Browser', 'close')
    void follow(
      link,
      (path) => (open ? open(path) : replace(path)),
      (path) => location.replace(path),
    )
  })
  return (listener) => void (open = listener)
}

async function launchLink({ call }: Bridge): Promise<string | undefined> {
  const { url } = await call('App', 'getLaunchUrl').catch(() => ({ url: undefined }))
  const link = textOf(url)
  if (!link || sessionStorage.getItem(LAUNCH_KEY) === link) return undefined
  sessionStorage.setItem(LAUNCH_KEY, link)
  return link
}
