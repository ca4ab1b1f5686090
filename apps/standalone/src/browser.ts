import { mkdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { leaveTraces } from './failure.ts'

const ARTIFACTS = fileURLToPath(new URL('../../../artifacts/screens', import.meta.url))
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** A test's page lives for seconds: V8's optimizing compilers take more time than they save. */
const WITHOUT_COMPILERS = '--js-flags=--max-lazy --no-maglev --no-turbofan'

export const WIDE = { width: 1280, height: 800 }
export const NARROW = { width: 360, height: 740 }

/** Timeout for rendering on a busy machine. */
export const SEEN = { timeout: 40_000 } as const

/** A microphone that beeps, and may be used without asking. */
export const WITH_MICROPHONE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['HEADLESS_SHELL_PATH'] || installed(),
    args: [...ARGS, WITHOUT_COMPILERS, ...more],
  })
}

/** A browser with one profile in a folder, as a person has it; other tools may join it at the port it says. */
export async function openProfile(
  folder: string,
  options: BrowserContextOptions = {},
): Promise<{ profile: BrowserContext; port: number }> {
  const args = [...ARGS, '--remote-debugging-port=0']
  const profile = await chromium.launchPersistentContext(folder, { executablePath: installed(), args, ...options })
  const [port] = (await readFile(`${folder}/DevToolsActivePort`, 'utf8')).split('\n')
  return { profile, port: Number(port) }
}

function installed(): string {
  const executablePath = process.env['CHROMIUM_PATH']
  if (!executablePath) throw new Error('No Chrome or Chromium was found. Install one, or set CHROMIUM_PATH.')
  return executablePath
}

/**
 * A visitor with an own browser context; page errors are collected. Service workers are blocked: requests through them
 * could be neither seen nor delayed from here.
 */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: WIDE,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    ...options,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  await leaveTraces(page)
  page.on('console', (message) => {
    // A 4xx answer is logged by the browser itself; the page's own handling is what is tested.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  return { page, complaints }
}

/** A visitor who is signed in already. */
export async function visitAs(
  browser: Browser,
  url: string,
  { cookie }: { readonly cookie: string },
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const visited = await visit(browser, url, options)
  const [name = '', value = ''] = cookie.split('=')
  await visited.page.context().addCookies([{ name, value, url }])
  return visited
}

/** The page shows the sentence. A toast and a notice may both have it: either counts. */
export async function expectText(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor()
}

export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

/** Answers what the contacts of a list agreed to. */
export async function agreed(
  page: Page,
  permission = 'Nothing, but they are our customers or expect our call',
): Promise<void> {
  await page.getByRole('combobox', { name: 'What did these contacts agree to?' }).click()
  await page.getByRole('option', { name: permission }).click()
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Violations of WCAG 2.2 AA found by axe, a line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Contrast is too low during a fade-in, and a change of colours begins a frame later.
  await page.evaluate(async () => {
    let still = 0
    for (let frame = 0; frame < 120 && still < 3; frame++) {
      await new Promise((drawn) => requestAnimationFrame(drawn))
      still = document.getAnimations().some(({ playState }) => playState === 'running') ? 0 : still + 1
    }
  })
  const axe = new AxeBuilder({ page })
    // Violations only, and frames only where there are any: a third of the time.
    .options({ resultTypes: ['violations'] })
    .setLegacyMode(page.frames().length === 1)
  const { violations } = await axe.withTags(STANDARDS).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
}

/**
 * With PICTURES=1, keeps a picture of the page among the run's artifacts, to be looked at: all of it, or what a dialog
 * covers.
 */
export async function picture(page: Page, name: string, fullPage = true): Promise<void> {
  if (!process.env['PICTURES']) return
  await mkdir(ARTIFACTS, { recursive: true })
  await page.screenshot({ path: `${ARTIFACTS}/${name}.png`, fullPage })
}
