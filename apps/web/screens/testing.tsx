import type { LiveMessage, User } from '@parley/contract'
import { LIVE_PATH } from '@parley/contract'
import { createMemoryHistory } from '@tanstack/react-router'
import axe from 'axe-core'
import { createRoot, type Root } from 'react-dom/client'
import { expect } from 'vitest'
import { commands, type Locator, page } from 'vitest/browser'
import { type ReceivedRequest, createFakeApi, type FakeApi } from './api.ts'
import { ADA, answersOf } from './people.ts'
import { lookForWords, MESSAGES, wordsShown } from './watchedWords.ts'
import '../src/theme.css'
export { type ReceivedRequest, type FakeApi } from './api.ts'
export { aCall, aContact, ADA, listed } from './people.ts'

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Stores which messages a file has shown, and all there are. */
    keepWords: (file: string, shown: readonly string[], all: readonly string[]) => Promise<void>
  }
}

type Size = readonly [width: number, height: number]
const WIDE: Size = [1280, 800]
export const NARROW: Size = [360, 740]

interface Look {
  /** null: a visitor; Ada by default. */
  readonly user?: User | null
  readonly language?: 'en' | 'es'
  readonly theme?: 'light' | 'dark'
  readonly size?: Size
}

interface Scene {
  /** The fake server; by default with a new account. */
  readonly api: FakeApi
  /** Sends a message on the live socket. */
  readonly say: (message: LiveMessage) => void
  /** The server closes the live socket with this code. */
  readonly closeLive: (code: number) => void
  /** The current path with its query. */
  readonly address: () => string
}

const REAL = { fetch: globalThis.fetch, WebSocket: globalThis.WebSocket }
let api = createFakeApi()
let sockets: FakeLiveSocket[] = []
let root: Root | undefined
let watcher: MutationObserver | undefined
/** Uncaught errors of the page. */
let complaints: string[] = []

/** The page's end of /ws: open at once; the test sends the messages. */
class FakeLiveSocket extends EventTarget {
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    sockets.push(this)
    queueMicrotask(() => this.dispatchEvent(new Event('open')))
  }
  send(): void {
    // The page sends nothing on this socket.
  }
  close(): void {
    sockets = sockets.filter((each) => each !== this)
  }
}

function openSocket(url: string, protocols?: string | string[]): WebSocket {
  return url.includes(LIVE_PATH)
    ? (new FakeLiveSocket(url) as unknown as WebSocket)
    : new REAL.WebSocket(url, protocols)
}

const complain = ({ message }: ErrorEvent) => void complaints.push(message)

/** Before each test (each.ts): a server without responses. */
export function beginTest(): void {
  api = createFakeApi()
  complaints = []
  localStorage.clear()
  sessionStorage.clear()
  Object.assign(globalThis, {
    fetch: api.fetch,
    WebSocket: new Proxy(REAL.WebSocket, { construct: (_, args: [string]) => openSocket(...args) }),
  })
  addEventListener('error', complain)
}

/** After each test: clears the state of the page's modules, because the next test shares the page. */
export async function endTest(): Promise<void> {
  lookForWords()
  watcher?.disconnect()
  root?.unmount()
  root = undefined
  await forgetAll()
  document.body.replaceChildren()
  removeEventListener('error', complain)
  Object.assign(globalThis, REAL)
  if (api.unanswered.length > 0)
    throw new Error(`The page asked, and the test said nothing of it: ${api.unanswered.join(', ')}`)
  if (complaints.length > 0) throw new Error(`In the page went wrong: ${complaints.join(', ')}`)
}

/** After each file. */
export async function keepWords(): Promise<void> {
  await commands.keepWords(expect.getState().testPath ?? '', wordsShown(), MESSAGES)
}

async function forgetAll(): Promise<void> {
  const { queryClient } = await import('../src/app/App.tsx')
  // Load it now: once loaded it sends requests, which must not happen in the next test.
  await import('../src/features/calls/live/announce.ts')
  const { dismissToast, shownToast } = await import('../src/ui/toast/toast.ts')
  const { closeCall } = await import('../src/features/calls/live/openCall.ts')
  const { closeViewedCall } = await import('../src/features/calls/history/viewedCall.ts')
  const { audio, phone } = await import('../src/features/calls/sound/useSound.ts')
  const { forgetTyped, storeTyped } = await import('../src/lib/typed.ts')
  await queryClient.cancelQueries()
  queryClient.clear()
  closeCall()
  closeViewedCall()
  audio.close()
  phone.close()
  storeTyped()
  for (const [name] of JSON.parse(sessionStorage.getItem('parley.typed') ?? '[]') as [string][]) forgetTyped(name)
  for (let toast = shownToast(); toast; toast = shownToast()) dismissToast(toast.id)
}

/** The server's responses for a user; set differing ones before the screen is opened. */
export function serve(user: User | null = ADA): FakeApi {
  answersOf(api, user)
  return api
}

/** Renders the whole app at an address, on the server of `serve`. */
export async function openScreen(
  path: string,
  { language = 'en', theme = 'light', size = WIDE }: Omit<Look, 'user'> = {},
): Promise<Scene> {
  const [{ App, queryClient }, { createAppRouter }, { speak }, { setTheme }] = await Promise.all([
    import('../src/app/App.tsx'),
    import('../src/app/router.ts'),
    import('../src/lib/language.ts'),
    import('../src/lib/theme.ts'),
  ])
  // Retries as in production, but without delay.
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } })
  await page.viewport(...size)
  await speak(language)
  setTheme(theme)
  // Leaves the screen that the test opened before.
  root?.unmount()
  watcher?.disconnect()
  const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  const element = document.createElement('div')
  element.id = 'root'
  document.body.replaceChildren(element)
  // On every change: a test may proceed before the next frame.
  watcher = new MutationObserver(() => lookForWords())
  watcher.observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ['aria-label', 'placeholder'],
  })
  root = createRoot(element)
  // Without StrictMode, as in production: each screen mounts once.
  root.render(<App router={router} />)
  return {
    api,
    say(message) {
      for (const socket of sockets) socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
    },
    closeLive(code) {
      for (const socket of sockets) socket.dispatchEvent(new CloseEvent('close', { code }))
    },
    address: () => router.state.location.href,
  }
}

/** Each text is visible on the page, or within a part of it. */
export async function expectTexts(
  texts: readonly (string | RegExp)[],
  within: Pick<Locator, 'getByText'> = page,
): Promise<void> {
  for (const text of texts) await expect.element(within.getByText(text, { exact: true }).first()).toBeVisible()
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Rules that depend on the theme's colours; the others are checked once. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

const FRAMES_MAX = 120

/** Waits for the end of all animations: a fading dialog has less contrast. */
async function atRest(): Promise<void> {
  let still = 0
  for (let frame = 0; frame < FRAMES_MAX && still < 3; frame++) {
    await new Promise((drawn) => requestAnimationFrame(drawn))
    still = document.getAnimations().some(({ playState }) => playState === 'running') ? 0 : still + 1
  }
}

/** Findings of axe for WCAG 2.2 AA, one line each. */
export async function axeFindings(): Promise<string[]> {
  await atRest()
  return findingsAtRest('everything')
}

async function findingsAtRest(only: 'everything' | 'colours'): Promise<string[]> {
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    runOnly: only === 'colours' ? { type: 'rule', values: OF_COLOURS } : { type: 'tag', values: STANDARDS },
  })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  )
}

/** Does something in each look; animations are over. */
export async function inLooks(
  see: (look: string, theme: 'light' | 'dark') => Promise<void>,
  themes: readonly ('light' | 'dark')[] = ['light', 'dark'],
  sizes: readonly Size[] = [WIDE, NARROW],
): Promise<void> {
  const { setTheme } = await import('../src/lib/theme.ts')
  for (const [width, height] of sizes) {
    await page.viewport(width, height)
    for (const theme of themes) {
      setTheme(theme)
      await atRest()
      await see(`${width} px, ${theme}`, theme)
    }
  }
}

/** axeFindings and horizontal overflow, at both widths and in both themes. */
export async function findingsInLooks(
  themes?: readonly ('light' | 'dark')[],
  sizes?: readonly Size[],
): Promise<string[]> {
  const findings: string[] = []
  await inLooks(
    async (look, theme) => {
      const widerBy = document.documentElement.scrollWidth - document.documentElement.clientWidth
      if (widerBy > 0) findings.push(`${look}: ${widerBy} px wider than the screen`)
      findings.push(
        ...(await findingsAtRest(theme === 'light' ? 'everything' : 'colours')).map((finding) => `${look}: ${finding}`),
      )
    },
    themes,
    sizes,
  )
  return findings
}

export async function press(name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

/** The request bodies in order. */
export function bodiesOf(requests: readonly ReceivedRequest[]): unknown[] {
  return requests.map(({ body }) => body)
}
