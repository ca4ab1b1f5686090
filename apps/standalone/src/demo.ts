import { AppError, type Context, createContact } from '@parley/api'

export const DEMO = { fullName: 'Demo User', email: 'demo@parley.example', password: 'parley-demo' } as const

const CONTACTS = [
  { name: 'Trattoria Verde', phone: '+12025550100', company: 'Trattoria Verde', title: 'Reservations', notes: 'Answers and agrees.' },
  { name: 'Harbour Hotel', phone: '+12025550108', company: 'Harbour Hotel', title: 'Front desk', notes: 'A menu first, then a person.' },
  { name: 'Sam Rivera', phone: '+12025550103', notes: 'Mostly the voicemail.' },
]

/** Somebody to be at the first look around: verified, with the free credits and three contacts. Made once. */
export async function ensureDemoUser({ accounts, db }: Context): Promise<void> {
  let userId: string
  try {
    userId = await accounts.addPerson(DEMO)
  } catch (error) {
    // Taken: an earlier start made the demo user.
    if (error instanceof AppError && error.code === 'invalid_token') return
    throw error
  }
  for (const contact of CONTACTS) await createContact(db, userId, { email: null, company: null, title: null, ...contact })
}
