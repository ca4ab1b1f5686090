import type { CheckResult } from '@parley/contract/checks'

export interface VendorCheck {
  readonly vendor: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The variables of its key and its address. */
  readonly keyVariable: string
  readonly urlVariable: string
  /** Where the vendor shows keys, and where it shows what is owed. */
  readonly keysPage: string
  readonly billingPage: string
  /** Of an answer that is fine. */
  readonly judge: (body: unknown) => CheckResult
}

/** One harmless request that tells whether the key works. */
export async function checkVendor(options: VendorCheck, signal: AbortSignal): Promise<CheckResult> {
  const { vendor, url, headers, keyVariable, urlVariable, keysPage, billingPage } = options
  const response = await fetch(url, { headers, signal, redirect: 'error' })
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok) return options.judge(body)
  const wrong = (problem: string, mend: string): CheckResult => ({ ok: false, problem, mend })
  switch (response.status) {
    case 401:
    case 403:
      return wrong(`${vendor} refuses the key.`, `Compare ${keyVariable} with ${keysPage}, and set it again.`)
    case 402:
      return wrong(`The account at ${vendor} has no credit.`, `Add credit: ${billingPage}.`)
    case 404:
      return wrong(
        `There is no ${vendor} at ${new URL(url).origin}.`,
        `Correct ${urlVariable}, or remove it for the vendor's own address.`,
      )
    case 429:
      return wrong(`${vendor} refuses more requests for now.`, `Look at the limits of the account: ${billingPage}.`)
    default:
      return wrong(
        `${vendor} answers with status ${response.status}.`,
        `Look at the status page of ${vendor}, or correct ${urlVariable}.`,
      )
  }
}
