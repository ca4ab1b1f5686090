import { BRAND, estimatedMinutes, LOW_BALANCE_CREDITS } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { findPerson, type Person, settingsOf } from '../accounts/index.ts'
import { defineJob } from '../platform/jobs.ts'
import { writeLetter } from '../platform/letter.ts'
import type { Mail } from '../platform/mail.ts'
import { balance } from './ledger/ledger.ts'
import { type CreditsRoom, money, nameOf } from './room.ts'
import { operatorTask, payment } from './schema.ts'

type MailOrder =
  | { readonly mail: 'low_balance'; readonly userId: string }
  | { readonly mail: 'top_up_failed'; readonly userId: string; readonly problem: string }
  | { readonly mail: 'receipt'; readonly userId: string; readonly orderId: string }
  | { readonly mail: 'task'; readonly taskId: number }

export const mailJob = defineJob<MailOrder>('credits.mail')

export async function sendMail(room: Pick<CreditsRoom, 'config' | 'db' | 'mailer'>, order: MailOrder): Promise<void> {
  if (order.mail === 'task') return sendTask(room, order.taskId)
  const [person, settings] = await Promise.all([findPerson(room.db, order.userId), settingsOf(room.db, order.userId)])
  const { publicUrl } = room.config
  if (order.mail === 'top_up_failed') return room.mailer.send(topUpFailed(publicUrl, person, order.problem))
  if (order.mail === 'receipt') return sendReceipt(room, person, order.orderId)
  if (!settings.emailNotifications) return
  const { posted } = await balance(room.db, order.userId)
  // Credits may have been bought since the mail was enqueued.
  if (posted < LOW_BALANCE_CREDITS) await room.mailer.send(lowBalance(publicUrl, person, posted))
}

function lowBalance(publicUrl: string, { email, name }: Person, credits: number): Mail {
  const left = credits === 1 ? '1 credit' : `${credits} credits`
  const minutes = estimatedMinutes(credits)
  return writeLetter({
    to: email,
    name,
    subject: `Your ${BRAND.product} credits are running low`,
    paragraphs: [
      `You have ${left} left, good for about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} of calling.`,
    ],
    button: { label: 'Buy Credits', url: `${publicUrl}/credits/purchase` },
    closing: [
      'You hear this once each time your credits run low. Your settings have a switch for e-mail notifications.',
    ],
  })
}

/** Sent regardless of notification settings, since it concerns money. */
async function sendReceipt(
  room: Pick<CreditsRoom, 'config' | 'db' | 'mailer'>,
  { email, name, closedAt }: Person,
  orderId: string,
): Promise<void> {
  // A closed account has no address.
  if (closedAt !== null) return
  const [order] = await room.db.select().from(payment).where(eq(payment.id, orderId))
  if (!order?.paidAt) throw new Error(`The order ${orderId} is not paid`)
  const { packageId, credits, bonusCredits, amountCents, automatic, card, paidAt } = order
  const bonus = bonusCredits > 0 ? `, ${bonusCredits} of them as a bonus` : ''
  const rows = [
    `${nameOf(packageId)}: ${credits + bonusCredits} credits${bonus}`,
    `Paid: ${money(amountCents)} on ${paidAt.toISOString().slice(0, 10)}${card ? ` with ${card.charAt(0).toUpperCase()}${card.slice(1)}` : ''}`,
    `Order: ${orderId}`,
  ]
  const { publicUrl } = room.config
  await room.mailer.send(
    writeLetter({
      to: email,
      name,
      subject: `Your ${BRAND.product} receipt: ${money(amountCents)}`,
      paragraphs: [automatic ? 'Auto top-up has bought credits for you.' : 'Thank you for your purchase.', ...rows],
      button: { label: 'See your purchases', url: `${publicUrl}/billing` },
      closing: ['The receipt can be downloaded there as a file.'],
    }),
  )
}

/** Sent regardless of notification settings, since it concerns money. */
function topUpFailed(publicUrl: string, { email, name }: Person, problem: string): Mail {
  return writeLetter({
    to: email,
    name,
    subject: `${BRAND.product} could not buy credits for you`,
    paragraphs: [
      'Your credits are running low, and buying more with your saved card did not work:',
      problem,
      'Nothing was charged.',
    ],
    button: { label: 'Go to Billing', url: `${publicUrl}/billing` },
    closing: ['Auto top-up waits until you save a card or switch it on again.'],
  })
}

const TASK_SUBJECTS = {
  paid_mismatch: 'a payment is not what was ordered',
  unreadable: 'a payment cannot be read',
} as const

/** To the operator; without OPERATOR_EMAIL the task is only listed. */
async function sendTask(room: Pick<CreditsRoom, 'config' | 'db' | 'mailer'>, taskId: number): Promise<void> {
  const { operatorEmail } = room.config
  const [task] = await room.db.select().from(operatorTask).where(eq(operatorTask.id, taskId))
  if (operatorEmail === undefined || !task) return
  await room.mailer.send(
    writeLetter({
      to: operatorEmail,
      name: '',
      subject: `${BRAND.product}: ${TASK_SUBJECTS[task.kind]}`,
      paragraphs: [
        `${task.detail}.`,
        `Payment: ${task.intentId}`,
        'No credits were added. Decide with one of:',
        ...['grant', 'refund', 'close'].map((verb) => `npm run ops -- tasks ${verb} ${taskId} --reason "why"`),
      ],
    }),
  )
}
