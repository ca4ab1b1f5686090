import { BatchImport, batchesRoutes as routes } from '@parley/contract'
import { expect, test } from 'vitest'
import { callOf, changeBatch, phoneOf, uploadList, useLists } from './testing.ts'

const lists = useLists()
const CARD = '4111111111111111'
const later = () => new Date(Date.now() + 3_600_000).toISOString()

test.each([
  ['people.csv', `phone,Payment\n${phoneOf(1)},none\n${phoneOf(2)},${CARD}\n`, 'Payment', 3],
  ['people.csv', `phone,Notes\n${phoneOf(1)},\n${phoneOf(2)},my PIN is 1234\n`, 'Notes', 3],
  [
    'people.json',
    JSON.stringify([{ phone: phoneOf(1) }, { phone: phoneOf(2), guest: { password: 'hunter' } }]),
    'guest › password',
    2,
  ],
])('refuses a file %s with a secret and names row and column', async (name, text, column, row) => {
  const { client, user } = await lists.app.signUp()
  const answer = await uploadList(client, text, name)
  expect(answer.status).toBe(422)
  const { code, message } = (await answer.json()) as { code: string; message: string }
  expect(code).toBe('secret_in_order')
  expect(message.startsWith(`Row ${row}: This looks like `)).toBe(true)
  expect(message).toContain(`(${column})`)
  expect(message).not.toContain(CARD)
  expect((await client.request(routes.list, { params: { id: user.id } })).data).toEqual([])
})

test('refuses a batch with a secret in one of its calls', async () => {
  const { client, user } = await lists.signUpWith(50)
  const bad = { ...callOf(phoneOf(4)), purpose: `Pay with ${CARD}` }
  const body = { name: 'List', calls: [callOf(phoneOf(3)), bad], startAt: later() }
  expect(await client.request(routes.create, { body })).toMatchObject({
    status: 422,
    body: { code: 'secret_in_order', field: 'calls.1.purpose' },
  })
  expect((await client.request(routes.list, { params: { id: user.id } })).data).toEqual([])
})

test('refuses a plan with a secret', async () => {
  const { client } = await lists.app.signUp()
  const { batchId } = BatchImport.parse(await (await uploadList(client, `phone\n${phoneOf(5)}\n`)).json())
  expect(await changeBatch(client, batchId, { plan: { purpose: 'Say that the PIN is 1234' } })).toMatchObject({
    status: 422,
    body: { code: 'secret_in_order', field: 'plan.purpose' },
  })
})

test('accepts a column of telephone numbers that look like card numbers', async () => {
  const { client } = await lists.app.signUp()
  const answer = await uploadList(client, `phone,Kontakt 2,mobile\n${phoneOf(6)},+${CARD},${CARD}\n`)
  expect(answer.status).toBe(201)
})

test('a private value fills no variable', async () => {
  const { client } = await lists.signUpWith(50)
  const order = {
    ...callOf(phoneOf(7), { context: { code: { value: '8642', private: true } } }),
    purpose: 'Tell them {{code}}',
  }
  const missing = { status: 422, body: { code: 'variables_missing' } }
  expect(
    await client.request(routes.create, { body: { name: 'List', calls: [order], startAt: later() } }),
  ).toMatchObject(missing)

  const rows = [
    { phone: phoneOf(8), code: { value: '8642', private: true } },
    { phone: phoneOf(9), code: { value: 'open', private: false } },
  ]
  const { batchId } = BatchImport.parse(await (await uploadList(client, JSON.stringify(rows), 'people.json')).json())
  await changeBatch(client, batchId, { plan: { purpose: 'Tell them {{code}}' } })
  expect((await client.request(routes.missing, { params: { id: batchId } })).data).toEqual([
    { variable: 'code', rows: 1 },
  ])
})
