import { amountCents, totalCredits, type CreditPackage } from '@parley/contract'
import { words } from '../../../words/index.ts'

/** What the server is asked to begin. Its own catalogue decides; ours must agree with it. */
export interface Order {
  readonly amount: number
  readonly credits: number
  readonly packageId: string
  readonly productId?: string
  readonly saveCard?: boolean
}

interface OrderOptions {
  readonly withProduct: boolean
  readonly saveCard: boolean
}

export function orderOf(item: CreditPackage, { withProduct, saveCard }: OrderOptions): Order {
  const amount = amountCents(item)
  if (!Number.isInteger(amount) || amount <= 0) throw new Error(words().credits.payment.invalidAmount)
  return {
    amount,
    credits: totalCredits(item),
    packageId: item.id,
    ...(withProduct && { productId: item.productId }),
    ...(saveCard && { saveCard }),
  }
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

interface Asked {
  readonly clientSecret: string
  readonly saveCard: boolean
}

/** Follows the client secret of a payment that keeps its card. */
const KEEPING = ' keep'

/** Payments that were asked for and whose answer has not come, by the package. */
export interface Unanswered {
  /** The payment to go on with. */
  find(packageId: string): Asked | undefined
  remember(packageId: string, asked: Asked): void
  forget(packageId: string): void
}

/**
 * Remembers a payment in this tab while its answer is out: whoever loses the connection and loads the page again
 * comes back to the same payment and cannot pay it twice.
 */
export function createUnanswered(userId: string, store: Store): Unanswered {
  const nameOf = (packageId: string) => `parley.payment.${userId}.${packageId}`
  return {
    find(packageId) {
      const kept = quietly(() => store.getItem(nameOf(packageId)))
      return kept ? { clientSecret: kept.replace(KEEPING, ''), saveCard: kept.endsWith(KEEPING) } : undefined
    },
    remember(packageId, { clientSecret, saveCard }) {
      quietly(() => store.setItem(nameOf(packageId), clientSecret + (saveCard ? KEEPING : '')))
    },
    forget(packageId) {
      quietly(() => store.removeItem(nameOf(packageId)))
    },
  }
}

/** Private windows may forbid storage; then a page that is loaded again begins anew. */
function quietly<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** The intent's id is its client secret up to the secret's marker. */
export function intentIdOf(clientSecret: string): string {
  return clientSecret.split('_secret_', 1)[0] ?? clientSecret
}

/** Where a payment leads once it is made, with what the page there needs to know. */
export function returnPath(
  path: '/billing/success' | '/billing',
  { id, credits }: { readonly id: string; readonly credits: number },
) {
  const search = new URLSearchParams({
    ...(path === '/billing' && { success: 'true' }),
    payment_intent: id,
    credits: String(credits),
  })
  return `${path}?${search.toString()}`
}
