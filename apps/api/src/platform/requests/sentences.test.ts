import {
  accountsRoutes,
  batchesRoutes,
  callsRoutes,
  contactsRoutes,
  creditsRoutes,
  type Route,
  ROUTES,
} from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import { readAs, sentencesAt } from './sentences.ts'

const writing = ROUTES.filter(({ method, body }) => method !== 'GET' && body !== undefined)

/** The error of a route's schema for a body; undefined when the body is valid. */
function complaintOf(route: Route, body: unknown): string | undefined {
  try {
    if (route.body) readAs(route.body, body)
    return undefined
  } catch (error) {
    return error instanceof AppError ? error.message : String(error)
  }
}

describe.each(writing.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  test('has a readable error for an empty body', () => {
    const complaint = complaintOf(route, {}) ?? 'It may be empty.'
    expect(complaint).not.toContain('Invalid input')
    expect(complaint).not.toMatch(/^[\w.]+: /)
    expect(complaint).toMatch(/^[A-Z"]/)
  })

  test('has a readable error for each field of a wrong type', () => {
    const fields = fieldsOf(route)
    expect(fields).not.toEqual([])
    for (const [field, wrong] of fields.flatMap((field) => WRONG.map((wrong) => [field, wrong] as const))) {
      const issues = route.body?.safeParse({ [field]: wrong }, { error: sentencesAt() }).error?.issues ?? []
      for (const { message } of issues)
        expect(message, `${field}: ${JSON.stringify(wrong)}`).not.toMatch(
          /Invalid (?!amount)|expected|received|Too |^[\w.]+: /,
        )
    }
  })
})

const WRONG = [5, 1.5, -1, 'text', '', 'x'.repeat(100_000), true, null, [], [{}], {}, { x: 1 }]

/** The fields of all shapes of a route's body. */
function fieldsOf({ body }: Route): string[] {
  if (!body) return []
  const { $defs = {}, ...root } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  const shapes = [root, ...Object.values($defs)].flatMap((shape) => [shape, ...(shape.anyOf ?? [])])
  return shapes.flatMap((shape) => (typeof shape === 'object' ? Object.keys(shape.properties ?? {}) : []))
}

const SENTENCES: readonly (readonly [Route, unknown, string])[] = [
  [accountsRoutes.register, {}, 'All fields are required'],
  [accountsRoutes.login, {}, 'Please enter your email address and your password.'],
  [accountsRoutes.forgotPassword, {}, 'Please enter a valid email address'],
  [accountsRoutes.resendVerification, {}, 'Please enter a valid email address'],
  [accountsRoutes.resetPassword, {}, 'No reset token found. Please check your email link.'],
  [accountsRoutes.resetPassword, { token: 'x' }, 'Password must be at least 6 characters long'],
  [accountsRoutes.changeUser, { fullName: '' }, 'All fields are required'],
  [accountsRoutes.changeUser, { email: 'nonsense' }, 'Please enter a valid email address'],
  [callsRoutes.place, {}, 'Please fill in all required fields.'],
  [callsRoutes.place, { callee: ' ', purpose: 'x' }, 'Please fill in all required fields.'],
  [batchesRoutes.create, {}, 'Please fill in all required fields and upload contact data.'],
  [batchesRoutes.create, { name: 'x', calls: [] }, 'Please fill in all required fields and upload contact data.'],
  [contactsRoutes.create, {}, 'Please fill in all required fields.'],
  [contactsRoutes.create, { name: 'Ada', phone: '' }, 'Please fill in all required fields.'],
  [callsRoutes.place, { callee: '+12025550100', purpose: 5 }, '"purpose" must be text.'],
  [callsRoutes.place, { callee: '+12025550100', purpose: 'x', objectives: 'A table' }, '"objectives" must be a list.'],
  [callsRoutes.place, { callee: '+12025550100', purpose: 'x', objectives: [7] }, '"objectives.0" must be text.'],
  [
    callsRoutes.place,
    { callee: '+12025550100', purpose: 'x', maxDurationMinutes: '5' },
    '"maxDurationMinutes" must be a number.',
  ],
  [
    callsRoutes.place,
    { callee: '+12025550100', purpose: 'x', maxDurationMinutes: 1.5 },
    '"maxDurationMinutes" must be a whole number.',
  ],
  [
    callsRoutes.place,
    { callee: '+12025550100', purpose: 'x', maxDurationMinutes: 0 },
    '"maxDurationMinutes" must be at least 1.',
  ],
  [
    callsRoutes.place,
    { callee: '+12025550100', purpose: 'x', confirmOutsideHours: 'yes' },
    '"confirmOutsideHours" must be true or false.',
  ],
  [callsRoutes.place, { callee: '+12025550100', purpose: 'x', userId: 5 }, '"userId" must be text.'],
  [
    batchesRoutes.create,
    { name: 'x', description: 5, calls: [{ callee: '+12025550100', purpose: 'x' }] },
    '"description" must be text.',
  ],
  [contactsRoutes.create, { name: 'Ada', phone: '+12025550100', notes: 5 }, '"notes" must be text.'],
  [creditsRoutes.enterprise, {}, 'Please fill in all required fields.'],
  [creditsRoutes.enterprise, { companyName: 'x', contactName: 'x', email: 'x' }, 'Please enter a valid email address'],
]

test.each(SENTENCES.map(([route, body, sentence]) => [route.id, body, sentence, route] as const))(
  '%s refuses %j with the sentence of its form: %s',
  (_, body, sentence, route) => {
    expect(complaintOf(route, body)).toBe(sentence)
  },
)
