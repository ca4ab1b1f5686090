import { createHmac } from 'node:crypto'
import { AppError, type Context, createContact } from '@parley/api'
import type { Key } from '@parley/contract/keys'
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

/** A verified user with free credits and three contacts, for a first look around. Made once. */
export async function ensureDemoUser({ accounts, db, config }: Context): Promise<void> {
  let userId: string
  try {
    userId = await accounts.addPerson(DEMO)
  } catch (error) {
    // The address is taken: an earlier start made the demo user.
    if (!(error instanceof AppError) || error.code !== 'invalid_token') throw error
    for (const key of config.authKeys)
      await accounts.replacePassword(DEMO.email, { from: retiredPassword(key), to: DEMO.password })
    return
  }
  for (const contact of CONTACTS)
    await createContact(db, userId, { email: null, company: null, title: null, ...contact })
}

/**
 * A product reachable from outside must have no user with a published password: locks the demo user until PUBLIC_URL is
 * a loopback address again. A changed password is kept.
 */
export async function retireDemoUser({ accounts, config }: Context): Promise<void> {
  const [first, ...older] = config.authKeys
  for (const from of [DEMO.password, ...older.map(retiredPassword)])
    await accounts.replacePassword(DEMO.email, { from, to: retiredPassword(first) })
}

/** Derived, so that this installation's next start knows it and no other does. */
function retiredPassword({ secret }: Key): string {
  return createHmac('sha256', secret).update('demo user').digest('base64url')
}
