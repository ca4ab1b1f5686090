import { z } from 'zod'

// One harmless request to each configured part, in the background: what doctor prints and readiness is made of.

export type CheckResult =
  | { readonly ok: true; readonly detail: string }
  | { readonly ok: false; readonly problem: string; readonly mend: string }

export interface Check {
  readonly part: string
  /** May reject: then the message is the problem. */
  run(signal: AbortSignal): Promise<CheckResult>
  /** What to do when it rejects or does not answer in time. */
  readonly mend: string
}

export const CheckedPart = z.object({
  part: z.string().max(100),
  ok: z.boolean(),
  /** One sentence: how it is, or what is wrong. */
  says: z.string().max(2000),
  /** Where to mend it; null when nothing is wrong. */
  mend: z.string().max(2000).nullable(),
})
export type CheckedPart = z.infer<typeof CheckedPart>

export const CheckedParts = z.object({ parts: z.array(CheckedPart).max(100) })

const DEADLINE_MS = 8000
const SAYS_MAX = 1000

/** Never rejects, and ends after `deadlineMs` also where the check does not heed its signal. */
export async function runCheck(check: Check, deadlineMs = DEADLINE_MS): Promise<CheckedPart> {
  const { part, mend } = check
  const signal = AbortSignal.timeout(deadlineMs)
  const late = new Promise<never>((_, reject) => {
    const say = () => reject(new Error(`It did not answer within ${deadlineMs / 1000} s.`))
    signal.addEventListener('abort', say, { once: true })
  })
  try {
    const result = await Promise.race([check.run(signal), late])
    return result.ok
      ? { part, ok: true, says: shortened(result.detail), mend: null }
      : { part, ok: false, says: shortened(result.problem), mend: shortened(result.mend) }
  } catch (error) {
    return { part, ok: false, says: shortened(sentenceOf(error)), mend }
  }
}

const shortened = (text: string) => text.slice(0, SAYS_MAX)

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const reason = cause instanceof Error ? `: ${String(Reflect.get(cause, 'code') ?? cause.message)}` : ''
  // Some errors of connections have a code and no message.
  return `${error.message || String(Reflect.get(error, 'code') ?? error.name)}${reason}`
}

const EVERY_MS = 60_000
/** What is broken is looked at more often, so that mending it shows. */
const EVERY_BROKEN_MS = 15_000

/** Runs checks in the background, and keeps the last results: nobody who asks waits for a vendor. */
export class BackgroundChecks {
  readonly #checks: readonly Check[]
  readonly #onChanged: (part: CheckedPart) => void
  #results: readonly CheckedPart[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #isOver = false

  /** `onChanged` gets a part when it breaks or is mended, and each that is broken at the start. */
  constructor(checks: readonly Check[], onChanged: (part: CheckedPart) => void = () => undefined) {
    this.#checks = checks
    this.#onChanged = onChanged
  }

  /** In the order of the checks; empty before the first round is over. */
  get results(): readonly CheckedPart[] {
    return this.#results
  }

  start(): void {
    void this.#round()
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  /** A round now, or the one under way. */
  async look(): Promise<readonly CheckedPart[]> {
    this.#running ??= this.#runAll().finally(() => (this.#running = undefined))
    await this.#running
    return this.#results
  }

  async #round(): Promise<void> {
    const results = await this.look()
    if (this.#isOver) return
    this.#timer = setTimeout(() => void this.#round(), results.every(({ ok }) => ok) ? EVERY_MS : EVERY_BROKEN_MS)
    this.#timer.unref()
  }

  async #runAll(): Promise<void> {
    const before = new Map(this.#results.map(({ part, ok }) => [part, ok]))
    this.#results = await Promise.all(this.#checks.map((check) => runCheck(check)))
    for (const result of this.#results) if (result.ok !== (before.get(result.part) ?? true)) this.#onChanged(result)
  }
}
