import { expect, test } from 'vitest'
import { z } from 'zod'
import { ConfigError, readEnvironment } from './environment.ts'

const Example = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  CALLS: z.coerce.number().int().min(1).default(60),
  LEVEL: z.enum(['quiet', 'loud']).default('quiet'),
  MAIL: z.email().optional().meta({ unset: 'they are only `stored`' }),
  DATABASE_URL: z
    .url({ error: 'must be an address such as postgres://host/parley' })
    .optional()
    .meta({ unset: 'embedded' }),
  AUTH_SECRET: z.string().min(32),
})
const AUTH_SECRET = 'a'.repeat(32)
const sentence = (given: Record<string, string | undefined>): string => {
  try {
    return JSON.stringify(readEnvironment(Example, { AUTH_SECRET, ...given }))
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message
  }
}

test.each([
  [
    { PORT: 'abc' },
    'PORT: must be a whole number from 0 to 65535, not "abc". Correct it, or remove it (default: 3000).',
  ],
  [
    { PORT: '70000' },
    'PORT: must be a whole number from 0 to 65535, not "70000". Correct it, or remove it (default: 3000).',
  ],
  [
    { PORT: '1.5' },
    'PORT: must be a whole number from 0 to 65535, not "1.5". Correct it, or remove it (default: 3000).',
  ],
  [{ CALLS: '0' }, 'CALLS: must be a whole number of at least 1, not "0". Correct it, or remove it (default: 60).'],
  [{ LEVEL: 'x' }, 'LEVEL: must be one of quiet, loud, not "x". Correct it, or remove it (default: quiet).'],
  [{ MAIL: 'x' }, 'MAIL: must be an email address, not "x". Correct it, or remove it (default: they are only stored).'],
])('the error for %o has the variable, the valid form, the value and the default', (given, expected) => {
  expect(sentence(given)).toBe(expected)
})

test('the error for a variable that may hold a secret hides the value', () => {
  expect(sentence({ DATABASE_URL: 'hush', AUTH_SECRET: 'hush' })).toBe(
    'DATABASE_URL: must be an address such as postgres://host/parley. Correct it, or remove it (default: embedded).\n' +
      'AUTH_SECRET: must have at least 32 characters. Correct it.',
  )
})

test('a missing or empty required variable is named', () => {
  for (const secret of [undefined, '']) {
    expect(sentence({ AUTH_SECRET: secret })).toBe(
      'AUTH_SECRET: must have at least 32 characters, and is missing. Set it.',
    )
  }
})

test('an empty value counts as unset, and a long value is cut in the error', () => {
  expect(readEnvironment(Example, { AUTH_SECRET, PORT: '', MAIL: '' })).toMatchObject({ PORT: 3000, LEVEL: 'quiet' })
  expect(sentence({ LEVEL: 'x'.repeat(1000) }).length).toBeLessThan(250)
})
