import { expect, test } from 'vitest'
import { isLoopback } from './hosts.ts'

test.each([
  ['http://localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['http://127.8.9.10', true],
  ['http://[::1]:3000', true],
  ['https://parley.example', false],
  ['http://192.168.1.20:3000', false],
  ['https://localhost.example', false],
  ['https://127.0.0.1.example', false],
])('isLoopback of %s is %s', (address, isOwn) => {
  expect(isLoopback(new URL(address).hostname)).toBe(isOwn)
})
