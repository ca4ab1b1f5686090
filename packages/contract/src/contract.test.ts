import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  amountCents,
  BATCH_ORDER_MAX_BYTES,
  BATCH_ROWS_MAX,
  CallChange,
  creditsForSeconds,
  endedPhase,
  ERROR_STATUS,
  FactReport,
  LIST_FILE_MAX_BYTES,
  minutesWithRoom,
  NewCall,
  objectivePhase,
  PACKAGES,
  pathOf,
  ROUTES,
  totalCredits,
  EndReason,
  CALL_LANGUAGES,
  SETTINGS_LANGUAGES,
  TONES,
  VOICES,
  CALL_STATUSES,
  SUMMARY_TYPES,
  PHONE_COLUMNS,
  TIMEZONES,
} from './index.ts'

describe('routes', () => {
  test('have unique ids and paths', () => {
    const ids = ROUTES.map(({ id }) => id)
    const paths = ROUTES.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(paths).size).toBe(paths.length)
  })

  test.each(ROUTES.map((route) => [route.id, route] as const))(
    '%s declares exactly the parameters of its path',
    (_, { path, params }) => {
      const named = [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name)
      const accepted = params instanceof z.ZodObject ? Object.keys(params.shape) : []
      expect(new Set(accepted)).toEqual(new Set(named))
    },
  )

  test.each([
    ['GET', '/api/auth/user'],
    ['GET', '/api/logout'],
    ['GET', '/api/login'],
    ['GET', '/api/auth/google'],
    ['POST', '/api/auth/apple'],
    ['POST', '/api/auth/login'],
    ['POST', '/api/auth/register'],
    ['POST', '/api/auth/forgot-password'],
    ['POST', '/api/auth/resend-verification'],
    ['POST', '/api/auth/reset-password'],
    ['GET', '/api/auth/verify-email'],
    ['GET', '/api/user/:id'],
    ['PATCH', '/api/user/:id'],
    ['GET', '/api/user/:id/settings'],
    ['PATCH', '/api/user/:id/settings'],
    ['GET', '/api/user/:id/stats'],
    ['POST', '/api/calls'],
    ['GET', '/api/calls/:id'],
    ['PATCH', '/api/calls/:id'],
    ['GET', '/api/user/:id/calls'],
    ['GET', '/api/user/:id/calls/active'],
    ['POST', '/api/batch-calls'],
    ['GET', '/api/batch-calls/:id'],
    ['POST', '/api/contacts'],
    ['GET', '/api/user/:id/contacts'],
    ['PATCH', '/api/contacts/:id'],
    ['DELETE', '/api/contacts/:id'],
    ['POST', '/api/ai-summary/generate'],
    ['GET', '/api/user/:id/ai-summaries'],
    ['POST', '/api/create-payment-intent'],
    ['POST', '/api/create-subscription'],
    ['POST', '/api/process-payment-success'],
    ['POST', '/api/process-missed-payment'],
    ['POST', '/api/enterprise-contact'],
    ['GET', '/health'],
  ])('%s %s of the specification exists', (method, path) => {
    expect(ROUTES.some((route) => route.method === method && route.path === path)).toBe(true)
  })

  test('list only error codes of ERROR_STATUS', () => {
    expect(ROUTES.flatMap(({ errors }) => errors ?? []).filter((code) => !(code in ERROR_STATUS))).toEqual([])
  })

  test('with a step-up are open to sessions only', () => {
    const asking = ROUTES.filter(({ stepUp }) => stepUp !== undefined)
    expect(asking.filter(({ access }) => access !== 'session')).toEqual([])
    expect(asking.map(({ id }) => id).toSorted()).toEqual(
      [
        'addPasskey',
        'changeUser',
        'confirmSecondFactor',
        'createApiKey',
        'deleteUser',
        'disableSecondFactor',
        'downloadExport',
        'getPasskeyOptions',
        'removePasskey',
        'renewRecoveryCodes',
        'requestExport',
        'setUpSecondFactor',
      ].toSorted(),
    )
  })

  test('pathOf fills a path and throws for a missing parameter', () => {
    expect(pathOf({ path: '/api/user/:id/calls' }, { id: 'a/b' })).toBe('/api/user/a%2Fb/calls')
    expect(() => pathOf({ path: '/api/calls/:id' })).toThrow('needs the parameter id')
  })
})

describe('option lists and constants of the specification', () => {
  test.each([
    ['CALL_LANGUAGES', CALL_LANGUAGES, 'auto en ar zh fr de el hi it ja pt pt-BR es'],
    ['SETTINGS_LANGUAGES', SETTINGS_LANGUAGES, 'en es fr de it pt ja ko zh'],
    ['TONES', TONES, 'friendly professional casual formal empathetic'],
    ['VOICES', VOICES, 'default professional friendly authoritative warm'],
    ['CALL_STATUSES', CALL_STATUSES, 'initiated dialing ringing connected in_progress completed failed'],
    ['SUMMARY_TYPES', SUMMARY_TYPES, 'success failed pending other'],
    ['PHONE_COLUMNS', PHONE_COLUMNS, 'phone Phone phone_number'],
    [
      'TIMEZONES',
      TIMEZONES,
      'UTC America/New_York America/Chicago America/Denver America/Los_Angeles Europe/London Europe/Paris Europe/Berlin Asia/Tokyo Asia/Shanghai Australia/Sydney',
    ],
  ] as const)('%s has the specified values', (_, options, list) => {
    expect(options.join(' ')).toBe(list)
  })

  // screens.md: packages-prices-credit-costs
  test('packages have the specified prices and prices per credit', () => {
    expect(PACKAGES.map((each) => [each.id, each.credits, each.bonus ?? 0, amountCents(each), each.popular])).toEqual([
      ['light', 10, 0, 999, false],
      ['premium', 25, 5, 1999, true],
      ['pro', 75, 25, 4999, false],
    ])
    expect(PACKAGES.map((each) => (each.price / totalCredits(each)).toFixed(2))).toEqual(['1.00', '0.67', '0.50'])
  })

  // screens.md: connected-seconds-cost-credits
  test.each([
    [0, 0],
    [0.02, 1],
    [60, 1],
    [60.001, 2],
    [1800, 30],
  ])('%d connected seconds cost %d credits', (seconds, credits) => {
    expect(creditsForSeconds(seconds)).toBe(credits)
  })
})

describe('calls', () => {
  test('NewCall trims text, removes duplicate objectives and fills defaults', () => {
    const call = NewCall.parse({
      callee: ' +12025550100 ',
      purpose: ' Book a table ',
      objectives: ['At seven ', 'At seven'],
    })
    expect(call).toMatchObject({
      callee: '+12025550100',
      purpose: 'Book a table',
      objectives: ['At seven'],
      language: 'auto',
      context: {},
    })
  })

  test.each([
    ['no purpose', { callee: '+12025550100', purpose: '  ' }],
    ['31 minutes', { callee: '+12025550100', purpose: 'x', maxDurationMinutes: 31 }],
    ['a context of 20,000 characters', { callee: '+12025550100', purpose: 'x', context: { text: 'y'.repeat(20_000) } }],
  ])('NewCall refuses %s', (_, call) => {
    expect(NewCall.safeParse(call).success).toBe(false)
  })

  test('CallChange is an action, or notes and tags', () => {
    expect(CallChange.parse({ action: 'stop' })).toEqual({ action: 'stop' })
    expect(CallChange.parse({ notes: 'Ask for Ada', tags: ['vip'] })).toEqual({ notes: 'Ask for Ada', tags: ['vip'] })
    expect(CallChange.safeParse({ action: 'fly' }).success).toBe(false)
  })

  test('phases have the wording of the specification', () => {
    expect(objectivePhase(1, 3)).toBe('objective 2 of 3')
    expect(
      ['agent_closed', 'busy', 'no_answer', 'refused_to_talk', 'carrier_dropped'].map((reason) =>
        endedPhase(EndReason.parse(reason)),
      ),
    ).toEqual([
      'ended: answered',
      'ended: busy',
      'ended: no answer',
      'ended: refused to talk',
      'ended: carrier failure',
    ])
  })

  test('FactReport has 1 to 100 facts', () => {
    const fact = { type: 'ringing', seq: 1, at: new Date().toISOString(), callMs: 0 }
    expect(FactReport.safeParse({ facts: [fact] }).success).toBe(true)
    expect(FactReport.safeParse({ facts: Array.from({ length: 101 }, () => fact) }).success).toBe(false)
    expect(FactReport.safeParse({ facts: [] }).success).toBe(false)
  })
})

test.each([
  [10, 100, 10],
  [10, 20, 10],
  [10, 10, 5],
  [10, 3, 1],
  [10, 1, 1],
  [10, 0, 1],
  [30, 41, 20],
])(
  'minutesWithRoom of %i minutes with %i credits is %i, which leaves credits for another call',
  (usual, credits, minutes) => {
    expect(minutesWithRoom(usual, credits)).toBe(minutes)
  },
)

test('a batch of BATCH_ROWS_MAX calls fits BATCH_ORDER_MAX_BYTES and exceeds LIST_FILE_MAX_BYTES', () => {
  const call = {
    callee: '+12025550100',
    purpose: 'Ask how the stay was',
    objectives: ['A rating from 1 to 5'],
    context: { name: 'Guest 12345' },
  }
  const bytes = BATCH_ROWS_MAX * (JSON.stringify(call).length + 1)
  expect(bytes).toBeLessThan(BATCH_ORDER_MAX_BYTES)
  expect(bytes).toBeGreaterThan(LIST_FILE_MAX_BYTES)
})
