import { amountCents, totalCredits, type CreditPackage } from '@parley/contract'
import { words } from '../../../words/index.ts'

/** The body of create-payment-intent. The server checks it against its own price list. */
export interface Purchase {
  readonly amount: number
  readonly credits: number
  readonly packageId: string
  readonly productId?: string
  readonly saveCard?: boolean
}

interface PurchaseOptions {
  readonly withProduct: boolean
  readonly saveCard: boolean
}

export function purchaseOf(item: CreditPackage, { withProduct, saveCard }: PurchaseOptions): Purchase {
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

interface PendingPayment {
  readonly clientSecret: string
  readonly saveCard: boolean
}

/** Suffix of a client secret whose payment saves its card. */
const KEEPING = ' keep'

/** Payments sent without a known answer, by package. */
export interface Unanswered {
  /** The payment to resume. */
  find(packageId: string): PendingPayment | undefined
  remember(packageId: string, payment: PendingPayment): void
  forget(packageId: string): void
}

/**
 * Remembers an unanswered payment in this tab, so that a reload after a lost connection resumes it instead of paying
 * twice.
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

/** Private windows may deny storage; then a reload creates a new payment. */
function quietly<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** The part of the client secret before its marker. */
export function intentIdOf(clientSecret: string): string {
  return clientSecret.split('_secret_', 1)[0] ?? clientSecret
}

/** The return path of a payment, with its query. */
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
