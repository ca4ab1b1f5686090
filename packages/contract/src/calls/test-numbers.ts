/** Numbers that reach the simulated network beside a real carrier: never assigned to anybody. */
const TEST_NUMBER = /^\+120255501\d{2}$/

export const isTestNumber = (e164: string): boolean => TEST_NUMBER.test(e164)
