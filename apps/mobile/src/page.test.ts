import { expect, test } from 'vitest'
import { shellPage } from './page.ts'

test('the start page of the shells names the backend and the push services', () => {
  const page = shellPage('<html><head><title>Parley</title></head></html>', 'https://api.parley.example', ['ios'])
  expect(page).toBe(
    '<html><head><meta name="parley-api" content="https://api.parley.example" /><meta name="parley-push" content="ios" /><title>Parley</title></head></html>',
  )
})

test('a page without a head is refused', () => {
  expect(() => shellPage('<html></html>', 'https://api.parley.example', [])).toThrow('The page has no head')
})
