import type { CheckResult } from '@parley/contract/checks'

export interface Question {
  readonly vendor: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Variables that hold its key and address. */
  readonly key: string
  readonly address: string
  /** What is well when it answers. */
  readonly detail: string
}

/** One harmless request to a vendor. */
export async function ask(question: Question, signal: AbortSignal): Promise<CheckResult> {
  const { vendor, url, headers, key, address, detail } = question
  const answer = await fetch(url, { headers, signal, redirect: 'error' })
  await answer.body?.cancel()
  if (answer.ok) return { ok: true, detail }
  const { status } = answer
  if (status === 401 || status === 403)
    return { ok: false, problem: `${vendor} refuses the key in ${key}.`, mend: `Set ${key} to a key of your account.` }
  if (status === 402 || status === 429)
    return {
      ok: false,
      problem: `${vendor} answers ${status}: the account is used up, or asked too often.`,
      mend: `Look at the usage and limits of the account at ${vendor}.`,
    }
  return {
    ok: false,
    problem: `${vendor} answers ${status} at ${new URL(url).origin}.`,
    mend: `Try again later. If ${address} is set, correct it.`,
  }
}
