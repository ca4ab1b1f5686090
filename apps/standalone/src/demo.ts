import { createHmac } from 'node:crypto'
import { AppError, type Context, createContact } from '@parley/api'
import { DEMO } from './demo-user.ts'

const CONTACTS = [
  {
    name: 'Trattoria Verde',
    phone: '+12025550100',
    company: 'Trattoria Verde',
    title: 'Reservations',
    notes: 'Answers and agrees.',
  },
  {
    name: 'Harbour Hotel',
    phone: '+12025550108',
    company: 'Harbour Hotel',
    title: 'Front desk',
    notes: 'A menu first, then a person.',
  },
  { name: 'Sam Rivera', phone: '+12025550103', notes: 'Mostly the voicemail.' },
]

/** Somebody to be at the first look around: verified, with the free credits and three contacts. Made once. */
export async function ensureDemoUser({ accounts, db, config }: Context): Promise<void> {
  let userId: string
  try {
    userId = await accounts.addPerson(DEMO)
  } catch (error) {
    // Taken: an earlier start made the demo user.
    if (!(error instanceof AppError) || error.code !== 'invalid_token') throw error
    await accounts.replacePassword(DEMO.email, { from: retiredPassword(config), to: DEMO.password })
    return
  }
  for (const contact of CONTACTS)
    await createContact(db, userId, { email: null, company: null, title: null, ...contact })
}

/**
 * A product that others reach has no user whose password everybody knows: one that an earlier start made is locked,
 * until the product is this machine's own again. Whoever has given it a password of their own keeps it.
 */
export async function retireDemoUser({ accounts, config }: Context): Promise<void> {
  await accounts.replacePassword(DEMO.email, { from: DEMO.password, to: retiredPassword(config) })
}

/** Known to this installation alone, and to its next start. */
function retiredPassword({ authSecret }: Context['config']): string {
  return createHmac('sha256', authSecret).update('demo user').digest('base64url')
}
