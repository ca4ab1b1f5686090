import { Instant } from '../common-shapes.ts'
import { ALTERNATIVES_MAX, OBJECTIVES_MAX, VAULT_MAX } from './calls.ts'
import { z } from 'zod'

/** ISO 4217, whole cents. */
export const Money = z
  .object({ amountCents: z.int().min(0).max(100_000_000), currency: z.string().regex(/^[A-Z]{3}$/) })
  .meta({ id: 'Money' })
export type Money = z.infer<typeof Money>

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Times are written as 19:30.')
const Day = z.iso.date('Dates are written as 2026-11-30.')

/** What a person may allow in figures, beside what the words of the objective allow. Ends are included. */
export const MandateLimits = z
  .object({
    priceMax: Money.optional().describe('The highest price in all'),
    timeFrom: ClockTime.optional().describe("In the callee's time zone"),
    timeTo: ClockTime.optional(),
    dateFrom: Day.optional(),
    dateTo: Day.optional(),
    peopleMin: z.int().min(1).max(10_000).optional(),
    peopleMax: z.int().min(1).max(10_000).optional(),
    alternatives: z
      .array(z.string().trim().min(1).max(200))
      .max(ALTERNATIVES_MAX)
      .optional()
      .describe('Also welcome, in order of preference'),
  })
  .refine(({ timeFrom, timeTo }) => timeFrom === undefined || timeTo === undefined || timeFrom <= timeTo, {
    error: 'The earliest time is later than the latest.',
    path: ['timeTo'],
  })
  .refine(({ dateFrom, dateTo }) => dateFrom === undefined || dateTo === undefined || dateFrom <= dateTo, {
    error: 'The first day is later than the last.',
    path: ['dateTo'],
  })
  .refine(({ peopleMin, peopleMax }) => peopleMin === undefined || peopleMax === undefined || peopleMin <= peopleMax, {
    error: 'The smallest number of people is larger than the largest.',
    path: ['peopleMax'],
  })
  .meta({ id: 'MandateLimits' })
export type MandateLimits = z.infer<typeof MandateLimits>

/** What the agent may agree to for one objective. */
export const Mandate = z
  .discriminatedUnion('rule', [
    z.object({ rule: z.literal('exactly') }).describe('Only just what the objective says'),
    z.object({ rule: z.literal('within_limits'), limits: MandateLimits }),
    z.object({ rule: z.literal('ask_me') }).describe('Agrees to nothing; every offer is brought home'),
  ])
  .meta({ id: 'Mandate' })
export type Mandate = z.infer<typeof Mandate>

/** What was agreed or found out, where it is countable. */
export const OutcomeValue = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('date_time'),
      at: z.iso.datetime({ local: true, offset: false, precision: -1 }).describe('Local time there: 2026-11-30T19:30'),
      timezone: z.string().describe('IANA name'),
    }),
    z.object({ type: z.literal('date'), date: z.iso.date() }),
    Money.extend({ type: z.literal('money') }),
    z.object({ type: z.literal('number'), number: z.number(), unit: z.string().max(60).nullable() }),
    z.object({ type: z.literal('name'), name: z.string().max(200) }),
    z.object({ type: z.literal('reference'), reference: z.string().max(100).describe('As a booking number') }),
  ])
  .meta({ id: 'OutcomeValue' })
export type OutcomeValue = z.infer<typeof OutcomeValue>

/** When a private value may be told; checked in code, not by a model. */
export const TellingCondition = z
  .discriminatedUnion('when', [
    z.object({ when: z.literal('asked') }).describe('When the callee asks for it'),
    z.object({ when: z.literal('menu') }).describe('By keys only, when a telephone menu asks for it'),
    z
      .object({ when: z.literal('said'), words: z.string().trim().min(1).max(200) })
      .describe('After the callee has said these words, such as the name of the booking'),
  ])
  .meta({ id: 'TellingCondition' })
export type TellingCondition = z.infer<typeof TellingCondition>

/** A value for this call alone, told only on its condition, and masked everywhere else. */
export const VaultEntry = z
  .object({
    name: z.string().trim().min(1).max(60).describe('What it is, as the callee would ask for it: booking number'),
    value: z.string().trim().min(1).max(200),
    condition: TellingCondition.default({ when: 'asked' }),
  })
  .meta({ id: 'VaultEntry' })
export type VaultEntry = z.output<typeof VaultEntry>

export const Vault = z.array(VaultEntry).max(VAULT_MAX)

/** One for each objective, in order; null: as its words say. */
export const Mandates = z.array(Mandate.nullable()).max(OBJECTIVES_MAX)

/** What is shown of a private value: never the value. */
export const VaultItem = z.object({ name: z.string(), condition: TellingCondition }).meta({ id: 'VaultItem' })
export type VaultItem = z.infer<typeof VaultItem>

/** A private value that the callee was told. */
export const Telling = z
  .object({
    name: z.string(),
    by: z.enum(['voice', 'keys']),
    turn: z.int().min(0).nullable().describe('Index of the turn it was said in'),
    at: Instant,
  })
  .meta({ id: 'Telling' })
export type Telling = z.infer<typeof Telling>

/** What the words of an objective are understood to allow. */
export const ObjectiveReading = z
  .object({
    mandate: Mandate.nullable().describe('In figures where they say any; dates stay in the words'),
    understood: z.string().nullable().describe('The same in a short text: 7 pm, or up to 8:30 pm'),
  })
  .meta({ id: 'ObjectiveReading' })
export type ObjectiveReading = z.infer<typeof ObjectiveReading>

interface WithMandates {
  readonly objectives: readonly string[]
  readonly mandates: readonly unknown[]
}

/** Mandates go by the places of the objectives, of which one that is named twice counts once. */
export function fitObjectives({ objectives, mandates }: WithMandates): boolean {
  return mandates.length === 0 || mandates.length === objectives.length
}
export const MANDATES_UNFIT = {
  error: 'Give one mandate for each objective, in their order, or none. An objective that is named twice counts once.',
  path: ['mandates'],
}

/** Facts tell private values by their names. */
export function areNamedApart(vault: readonly Pick<VaultEntry, 'name'>[]): boolean {
  return new Set(vault.map(({ name }) => name.toLowerCase())).size === vault.length
}
export const NAMED_ALIKE = { error: 'Two private values have the same name.', path: ['vault'] }

/** How a value of the vault stands in texts: its place in the vault, from 1. */
export function vaultPlaceholder(index: number): string {
  return `[[private ${index + 1}]]`
}

/** How a value of the vault is shown wherever it was told. */
export function vaultMask(name: string): string {
  return `•••• (${name})`
}
