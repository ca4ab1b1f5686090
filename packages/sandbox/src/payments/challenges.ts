import type Stripe from 'stripe'
import { askPage, donePage } from './challenge-page.ts'
import { Failure, missing } from './errors.ts'
import { type Answer, html, type Question } from './http.ts'
import { authenticated, findIntent } from './objects/intents.ts'
import { findSetup, setupAuthenticated } from './objects/setups.ts'
import type { World } from './world.ts'

export const CHALLENGE_PATH = '/3ds/'

/** The bank's page: asks once, takes the answer, returns to the shop. */
export function challenge(
  world: World,
  { pathname, method, text }: Question,
  frameAncestors: readonly string[],
): Answer {
  const known = world.store.find('challenge', pathname.slice(CHALLENGE_PATH.length))
  if (!known) throw missing('challenge', pathname)
  const isSetup = known.intent.startsWith('seti_')
  const before = isSetup ? findSetup(world, known.intent) : findIntent(world, known.intent)
  const isOpen = before.status === 'requires_action' && JSON.stringify(before.next_action).includes(known.id)
  if (isOpen && method !== 'POST') {
    const page = askPage(pathname, isSetup ? 'saves this card' : 'pays', frameAncestors)
    return html(page.html, page.policy)
  }
  if (isOpen) decide(world, known.intent, isSetup, new URLSearchParams(text).get('answer') === 'accept')
  const after = isSetup ? findSetup(world, known.intent) : findIntent(world, known.intent)
  const page = donePage(after.id, after.status, returnUrl(known.returnUrl, after), frameAncestors)
  return html(page.html, page.policy)
}

function decide(world: World, id: string, isSetup: boolean, accepted: boolean): void {
  try {
    if (isSetup) setupAuthenticated(world, id, accepted)
    else authenticated(world, id, accepted)
  } catch (error) {
    // Declined after authentication: the intent holds the error.
    if (!(error instanceof Failure && error.status === 402)) throw error
  }
}

function returnUrl(
  url: string | null,
  { object, id, client_secret: secret, status }: Stripe.PaymentIntent | Stripe.SetupIntent,
): string | null {
  if (url === null) return null
  const target = new URL(url)
  target.searchParams.set(object, id)
  target.searchParams.set(`${object}_client_secret`, secret ?? '')
  target.searchParams.set('redirect_status', status === 'succeeded' || status === 'processing' ? 'succeeded' : 'failed')
  return target.href
}
