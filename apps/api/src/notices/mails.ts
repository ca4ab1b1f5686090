import { type BatchOverview, BRAND } from '@parley/contract'
import { callsOfBatch } from '../calls/index.ts'
import { findPerson, settingsOf } from '../accounts/index.ts'
import { defineJob } from '../platform/jobs.ts'
import { writeLetter } from '../platform/letter.ts'
import type { NoticesRoom } from './room.ts'

export const batchMailJob = defineJob<{
  userId: string
  batch: Pick<BatchOverview, 'id' | 'name' | 'contacts' | 'creditsCharged'>
}>('notices.mail')

/** Mails the results of a batch to a user with email notifications on. */
export async function mailBatchDone(
  room: Pick<NoticesRoom, 'config' | 'db' | 'mailer'>,
  { userId, batch }: Parameters<NonNullable<(typeof batchMailJob)['data']>>[0],
): Promise<void> {
  const [{ email, name }, settings, offers] = await Promise.all([
    findPerson(room.db, userId),
    settingsOf(room.db, userId),
    callsOfBatch.offers(room.db, batch.id),
  ])
  if (!settings.emailNotifications) return
  const { completed, failed, cancelled } = batch.contacts
  const reached = `${completed} of ${completed + failed + cancelled} contacts were reached.`
  const credits = `It used ${batch.creditsCharged} ${batch.creditsCharged === 1 ? 'credit' : 'credits'}.`
  await room.mailer.send(
    writeLetter({
      to: email,
      name,
      subject: `${batch.name} is done`,
      paragraphs: [
        `Your batch calls "${batch.name}" have come to their end.`,
        `${reached} ${credits}`,
        ...(offers > 0 ? [toDecide(offers)] : []),
      ],
      button: { label: 'See the calls', url: `${room.config.publicUrl}/call-history` },
      closing: [`You get this because e-mail notifications are on in your ${BRAND.product} settings.`],
    }),
  )
}

function toDecide(offers: number): string {
  const waits = offers === 1 ? 'It waits for your decision.' : 'They wait for your decision.'
  return `In ${offers} ${offers === 1 ? 'call' : 'calls'} something else was offered than you asked for. ${waits}`
}
