// What is said in the calls of the benchmark: sentences as of bookings and enquiries, with names that differ.

const TEMPLATES = [
  'Good morning, this is an AI assistant calling for {surname} about {thing}.',
  'Could we have a table for {number} on {day} at {hour}, please?',
  'Let me look, {day} at {hour} is taken, but {hour} would be possible.',
  'Is there anything on {street} that is free before {day}?',
  'We close at {hour} on {day}, so you would have to come earlier.',
  'The price is {number} dollars for {thing}, taxes included.',
  'I am sorry, {surname} is not in today, can I take a message?',
  'Please tell {surname} that {thing} will be ready on {day}.',
  'Can you spell the name for me? It is {surname}, of {street}.',
  'That works for us. We will see {surname} on {day} at {hour}.',
  'We would need a deposit for {thing}, about {number} dollars.',
  'How many people are coming, and does anybody have an allergy?',
  'The delivery to {street} takes {number} days, not counting {day}.',
  'I have noted {thing} for {surname}, is there anything else?',
  'One moment please, I will ask my colleague {surname} about it.',
  'No, thank you, {number} is more than we wanted to spend on {thing}.',
] as const

const THINGS = [
  'a dinner reservation',
  'the repair of a bicycle',
  'an appointment with the dentist',
  'the walnut dresser',
  'a quote for painting the hall',
  'the winter tyres',
  'a refund of the ticket',
  'the piano lessons',
  'an order of flowers',
  'the lost umbrella',
  'a haircut',
  'the boiler inspection',
] as const
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const SYLLABLES = ['mar', 'thorn', 'wick', 'ber', 'low', 'ash', 'dun', 'hal', 'ing', 'ford', 'cas', 'pen', 'row', 'tel']
const SURNAMES = 400

/** So many sentences, the same in every run. */
export function sentences(count: number): string[] {
  const random = seeded(20_261_127)
  const of = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  const name = () => capital(`${of(SYLLABLES)}${of(SYLLABLES)}${of(SYLLABLES)}`)
  const surnames = Array.from({ length: SURNAMES }, name)
  const slots: Readonly<Record<string, () => string | undefined>> = {
    surname: () => of(surnames),
    thing: () => of(THINGS),
    day: () => of(DAYS),
    street: () => `${of(surnames)} Street`,
    hour: () => `${1 + Math.floor(random() * 12)} o'clock`,
    number: () => String(2 + Math.floor(random() * 60)),
  }
  return Array.from({ length: count }, () =>
    String(of(TEMPLATES)).replaceAll(/\{(\w+)\}/g, (slot, key: string) => slots[key]?.() ?? slot),
  )
}

/** A small generator of numbers (mulberry32): its quality does not matter, that it repeats does. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
