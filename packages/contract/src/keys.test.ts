import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readEnvironment } from './environment.ts'
import { keysFor, type Keys, secretKeys } from './keys.ts'
import { weaknessesOf } from './production.ts'

const [A, B] = ['Zq3vT0bW8nXk5yHs2LmP9dRgC7fJ4aUe', 'k1Gd7YwQ0zRb5NxV3hTs9McJ6pLf2EaU']
const Example = z.object({ AUTH_SECRET: secretKeys(32) })
const read = (text: string) => readEnvironment(Example, { AUTH_SECRET: text }).AUTH_SECRET

describe('a variable with a secret', () => {
  test('reads one secret, also with commas and colons, as a key without an id', () => {
    for (const text of [A, `${A},1:${B}`, `key:${A}`]) expect(read(text)).toEqual([{ id: null, secret: text }])
  })

  test('reads a list in its order, and a colon in a secret as a part of it', () => {
    expect(read(`2:${A}, 1:b:${B}`)).toEqual([
      { id: 2, secret: A },
      { id: 1, secret: `b:${B}` },
    ])
    expect(read(`20261127:${A}`)).toEqual([{ id: 20_261_127, secret: A }])
  })

  test.each([
    ['', 'AUTH_SECRET: must have at least 32 characters, and is missing. Set it.'],
    ['short', 'AUTH_SECRET: must have at least 32 characters. Correct it.'],
    [`2:${A},1:short`, 'AUTH_SECRET: has fewer than 32 characters in key 1. Correct it.'],
    [`2:${A},2:${B}`, 'AUTH_SECRET: has two keys with the id 2. Correct it.'],
    [`2:${A},1:${A}`, 'AUTH_SECRET: has the same secret in the keys 2 and 1. Correct it.'],
    [`2:${A},${B}`, /^AUTH_SECRET: must be one secret, or a list of up to 5 such as 2:…,1:… whose first one makes\./],
    [[1, 2, 3, 4, 5, 6].map((id) => `${id}:${id}${A}`).join(','), /^AUTH_SECRET: must be one secret, or a list of up/],
  ])('refuses %j and does not show it', (text, sentence) => {
    expect(() => read(text)).toThrow(sentence)
    expect(() => read(text)).not.toThrow(A)
  })
})

test('something made is looked at with the key that it names, or with each where none has that name', () => {
  const keys: Keys = [
    { id: 2, secret: A },
    { id: 1, secret: B },
  ]
  expect(keysFor(keys, 1)).toEqual([keys[1]])
  expect(keysFor(keys, 3)).toEqual(keys)
  expect(keysFor(keys, null)).toEqual(keys)
})

test('a weak secret of a list is named by its key', () => {
  expect(weaknessesOf('AUTH_SECRET', read(`2:${A},1:${'ab'.repeat(16)}`))).toEqual([
    'AUTH_SECRET, key 1, has hardly any different characters. Make one with "npm run generate-secrets".',
  ])
  expect(weaknessesOf('AUTH_SECRET', read(`change-me-${A}`))).toEqual([
    'AUTH_SECRET reads like one of an example. Make one with "npm run generate-secrets".',
  ])
})
