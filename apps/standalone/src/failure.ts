import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { onTestFailed, type TestContext } from 'vitest'

const ARTIFACTS = fileURLToPath(new URL('../../../artifacts/failures', import.meta.url))
const STEPS_KEPT = 200
const LOOK_MS = 5000

interface Step {
  readonly at: number
  readonly what: string
}

/**
 * For a failed test: writes what a product of its own has logged to artifacts/failures. Tests that run concurrently give
 * the hook of their own context: the global one belongs to the test that started last.
 */
export function leaveLog(
  { log }: { readonly log: () => string },
  onFailed: TestContext['onTestFailed'] = onTestFailed,
): void {
  onFailed(async ({ task }) => {
    await mkdir(ARTIFACTS, { recursive: true })
    await writeFile(`${nameOf(task)}.log`, log())
  })
}

const nameOf = (task: { readonly name: string; readonly id: string }) =>
  `${ARTIFACTS}/${task.name.replaceAll(/\W+/g, '-').slice(0, 80)}-${task.id}`

/** For a failed test: writes the user's events, the requests and the page to artifacts/failures. */
export async function leaveTraces(page: Page): Promise<void> {
  const asked: Step[] = []
  const note = (what: string) => void (asked.push({ at: Date.now(), what }) > STEPS_KEPT && asked.shift())
  page.on('request', (request) => note(`-> ${request.method()} ${request.url()}`))
  page.on('response', (response) => note(`<- ${response.status()} ${response.request().method()} ${response.url()}`))
  page.on('requestfailed', (request) =>
    note(`<- ${request.failure()?.errorText ?? 'failed'} ${request.method()} ${request.url()}`),
  )
  page.on('framenavigated', (frame) => note(`at ${frame.url()}`))
  try {
    onTestFailed(async ({ task }) => {
      const name = nameOf(task)
      await mkdir(ARTIFACTS, { recursive: true })
      await Promise.race([keep(page, name, asked), new Promise((late) => setTimeout(late, LOOK_MS))]).catch(
        (error: unknown) => writeFile(`${name}.txt`, `${String(error)}\n${linesOf(asked)}`),
      )
    })
  } catch {
    // A page shared by all tests of a file is opened outside of any test.
    return
  }
  await page.addInitScript(watchPresses)
}

async function keep(page: Page, name: string, asked: readonly Step[]): Promise<void> {
  const pressed = await page.evaluate(() => (window as { presses?: Step[] }).presses ?? [])
  await writeFile(`${name}.txt`, linesOf([...asked, ...pressed].toSorted((a, b) => a.at - b.at)))
  await writeFile(`${name}.html`, await page.content())
  await page.screenshot({ path: `${name}.png`, fullPage: true })
}

function linesOf(steps: readonly Step[]): string {
  return steps.map(({ at, what }) => `${new Date(at).toISOString().slice(11, 23)} ${what}`).join('\n')
}

/** Runs in the page. */
function watchPresses(): void {
  const presses: Step[] = []
  Object.assign(window, { presses })
  const outline = (target: EventTarget | null) =>
    target instanceof Element ? target.outerHTML.slice(0, 160).replaceAll(/\s+/g, ' ') : 'the window'
  for (const type of ['pointerdown', 'pointerup', 'click', 'submit', 'focusin', 'input', 'invalid']) {
    document.addEventListener(
      type,
      (event) => presses.push({ at: Date.now(), what: `${type} ${outline(event.target)}` }),
      true,
    )
  }
}
