import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_KEYS } from '@parley/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startSandbox } from './sandbox.ts'
import { type Kind, Store, type Tables } from './store.ts'

let dir: string
let file: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'parley-store-'))
  file = join(dir, 'payments.jsonl')
})
afterEach(() => rmSync(dir, { recursive: true }))

test.each([
  ['garbage{\n', 'line 1 is not what it wrote'],
  ['{"kind":"card","id":"c","value":null}\n42\n', 'line 2 is not what it wrote'],
])('a store refuses a file that holds %j, says what to do and leaves the file unchanged', (text, why) => {
  writeFileSync(file, text)
  expect(() => new Store(file)).toThrow(
    `The payments of the sandbox in ${file} cannot be read: ${why}. Correct the file, or move it away:`,
  )
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('a store refuses a folder in the place of its file', () => {
  mkdirSync(file)
  expect(() => new Store(file)).toThrow(`${file} cannot be read: EISDIR.`)
})

const KINDS: readonly Kind[] = [
  'payment_intent',
  'charge',
  'balance_transaction',
  'event',
  'delivery',
  'answer',
  'card',
  'payment_method',
]

/** Everything a store knows that starts with these bytes. */
function knownFrom(bytes: Uint8Array): Record<string, unknown> {
  const copy = join(dir, 'copy.jsonl')
  writeFileSync(copy, bytes)
  const store = new Store(copy)
  return Object.fromEntries(KINDS.map((kind) => [kind, store.all(kind)]))
}

async function pay(url: string): Promise<{ id: string; status: string }> {
  const headers = { authorization: `Bearer ${SANDBOX_KEYS.secret}` }
  const body = new URLSearchParams({ amount: '999', currency: 'usd', payment_method: 'pm_card_visa', confirm: 'true' })
  return (await (await fetch(`${url}/v1/payment_intents`, { method: 'POST', headers, body })).json()) as {
    id: string
    status: string
  }
}

test('a store cut off while it writes a payment keeps all of the payment or nothing', async () => {
  const sandbox = await startSandbox({ port: 0, file, holdEvents: true })
  await pay(sandbox.url)
  const before = readFileSync(file)
  const { id, status } = await pay(sandbox.url)
  const after = readFileSync(file)
  await sandbox.close()
  expect(status).toBe('succeeded')
  const [none, all] = [knownFrom(before), knownFrom(after)]
  expect(all['payment_intent']).toContainEqual(expect.objectContaining({ id, status }))
  expect(none['event']).toHaveLength(3)
  expect(all['event']).toHaveLength(6)
  const lineEnds = [...after.keys()].filter((at) => at >= before.length && after[at] === 10)
  const cuts = [
    ...lineEnds,
    ...Array.from(
      { length: 40 },
      (_, step) => before.length + Math.floor((step * (after.length - before.length)) / 40),
    ),
  ]
  for (const cut of cuts) expect(knownFrom(after.subarray(0, cut)), `cut at ${cut}`).toEqual(none)
})

test('a store reads and extends a file of the earlier format with one change per line', () => {
  const card = (id: string, setUp: boolean): Tables['card'] => ({ id, number: '4242424242424242', setUp })
  const lines = [card('pm_1', false), card('pm_2', false), card('pm_1', true)].map((value) => ({
    kind: 'card',
    id: value.id,
    value,
  }))
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  appendFileSync(file, JSON.stringify({ kind: 'card', id: 'pm_2', value: null }).slice(0, -5))
  const store = new Store(file)
  store.drop('card', 'pm_2')
  store.put('card', card('pm_3', true))
  store.commit()
  expect(new Store(file).all('card')).toEqual([card('pm_1', true), card('pm_3', true)])
})
