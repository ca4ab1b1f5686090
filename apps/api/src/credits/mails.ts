import { BRAND, estimatedMinutes, LOW_BALANCE_CREDITS } from '@parley/contract'
import { findPerson, type Person, settingsOf } from '../accounts/index.ts'
import { defineJob } from '../platform/jobs.ts'
import { writeLetter } from '../platform/letter.ts'
import type { Mail } from '../platform/mail.ts'
import { balance } from './ledger.ts'
import type { CreditsRoom } from './room.ts'

type MailOrder =
  | { readonly mail: 'low_balance'; readonly userId: string }
  | { readonly mail: 'top_up_failed'; readonly userId: string; readonly problem: string }

export const mailJob = defineJob<MailOrder>('credits.mail')

export async function sendMail(room: CreditsRoom, order: MailOrder): Promise<void> {
  const [person, settings] = await Promise.all([findPerson(room.db, order.userId), settingsOf(room.db, order.userId)])
  const { publicUrl } = room.config
  if (order.mail === 'top_up_failed') return room.mailer.send(topUpFailed(publicUrl, person, order.problem))
  if (!settings.emailNotifications) return
  const { posted } = await balance(room.db, order.userId)
  // More may have been bought since.
  if (posted < LOW_BALANCE_CREDITS) await room.mailer.send(lowBalance(publicUrl, person, posted))
}

function lowBalance(publicUrl: string, { email, name }: Person, credits: number): Mail {
  const left = credits === 1 ? '1 credit' : `${credits} credits`
  const minutes = estimatedMinutes(credits)
  return writeLetter({
    to: email,
    name,
    subject: `Your ${BRAND.product} credits are running low`,
    paragraphs: [`You have ${left} left, good for about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} of calling.`],
    button: { label: 'Buy Credits', url: `${publicUrl}/credits/purchase` },
    closing: ['You hear this once each time your credits run low. Your settings have a switch for e-mail notifications.'],
  })
}

/** Also to those who want no notifications: it is about their money. */
function topUpFailed(publicUrl: string, { email, name }: Person, problem: string): Mail {
  return writeLetter({
    to: email,
    name,
    subject: `${BRAND.product} could not buy credits for you`,
    paragraphs: ['Your credits are running low, and buying more with your saved card did not work:', problem, 'Nothing was charged.'],
    button: { label: 'Go to Billing', url: `${publicUrl}/billing` },
    closing: ['Auto top-up waits until you save a card or switch it on again.'],
  })
}
