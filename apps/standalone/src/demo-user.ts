/** The start prints these. */
export const DEMO = { fullName: 'Demo User', email: 'demo@parley.example', password: 'parley-demo' } as const
