import { batchesRoutes as routes, consentRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import {
  batchDone,
  callOf,
  changeBatch,
  contactsOf,
  createBatch,
  eventually,
  phoneOf,
  readBatch,
  rowsOf,
  uploadList,
  useLists,
} from '../testing.ts'

const lists = useLists()

describe('contacts that must not be called', () => {
  test('an opt-out in a call cancels the number in every batch of the account', async () => {
    const { client } = await lists.signUpWith(100)
    const [first, second] = rowsOf(2, 900)
    const later = (
      await createBatch(client, [callOf(second!), callOf(first!)], {
        startAt: new Date(Date.now() + 3_600_000).toISOString(),
      })
    ).data
    lists.play(() => ({ answers: true, optsOut: true }))
    const now = (await createBatch(client, [callOf(first!)])).data
    await batchDone(client, now.batchId)
    const contacts = await contactsOf(client, later.batchId)
    expect(contacts.map(({ status, code }) => [status, code])).toEqual([
      ['waiting', null],
      ['cancelled', 'do_not_call'],
    ])
    expect((await createBatch(client, [callOf(first!)])).data).toMatchObject({
      totalCalls: 0,
      skipped: [{ code: 'do_not_call' }],
    })
  })

  test('a number added to the do-not-call list is dropped from drafts', async () => {
    const { client, user } = await lists.signUpWith(10)
    const phone = phoneOf(910)
    const draft = (await (await uploadList(client, `phone\n${phone}\n${phoneOf(911)}\n`)).json()) as { batchId: string }
    const added = await client.request(consentRoutes.add, { params: { id: user.id }, body: { phone } })
    expect(added).toMatchObject({ status: 201, data: { phone, source: 'account' } })
    expect((await readBatch(client, draft.batchId)).contacts).toMatchObject({ dropped: 1, waiting: 1 })
    const list = await client.request(consentRoutes.list, { params: { id: user.id }, query: { q: '910' } })
    expect(list.data).toHaveLength(1)
    expect((await client.request(consentRoutes.remove, { params: { id: user.id, phone } })).status).toBe(200)
  })

  test('calls a number at most three times a day over all batches', async () => {
    const { client } = await lists.signUpWith(100)
    lists.play(() => ({ answers: false }))
    const phone = phoneOf(920)
    for (let count = 0; count < 3; count++)
      await batchDone(client, (await createBatch(client, [callOf(phone)])).data.batchId)
    const { batchId } = (await createBatch(client, [callOf(phone)])).data
    const [contact] = await eventually(
      () => contactsOf(client, batchId),
      ([each]) => expect(each?.nextAttemptAt).not.toBeNull(),
    )
    expect(contact).toMatchObject({ status: 'waiting', attempts: 0 })
    const waitsMs = Date.parse(contact?.nextAttemptAt ?? '') - Date.now()
    expect(waitsMs).toBeGreaterThan(23 * 3_600_000)
  })

  test('refuses marketing without consent, and stores the evidence with its giver', async () => {
    const { client } = await lists.signUpWith(10)
    const calls = [callOf(phoneOf(930))]
    const refused = await createBatch(client, calls, {
      consent: { marketing: true, permission: 'relationship', details: 'Customers' },
    })
    expect(refused).toMatchObject({ status: 422, body: { code: 'consent_required' } })
    const evidence = { marketing: true, permission: 'written', details: 'Form of 3 March' }
    const { batchId } = (
      await createBatch(client, calls, { consent: evidence, startAt: new Date(Date.now() + 3_600_000).toISOString() })
    ).data
    expect((await readBatch(client, batchId)).consent).toMatchObject({ ...evidence, givenBy: 'Ada Lovelace' })
  })

  test("returns 404 for another user's batch", async () => {
    const [{ client }, { client: stranger }] = [await lists.signUpWith(10), await lists.app.signUp()]
    const { batchId } = (
      await createBatch(client, [callOf(phoneOf(940))], { startAt: new Date(Date.now() + 3_600_000).toISOString() })
    ).data
    const answers = [
      await stranger.request(routes.get, { params: { id: batchId } }),
      await changeBatch(stranger, batchId, { action: 'stop' }),
      await stranger.request(routes.contacts, { params: { id: batchId } }),
      await stranger.request(routes.results, { params: { id: batchId } }),
      await stranger.request(routes.remove, { params: { id: batchId } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  })
})
