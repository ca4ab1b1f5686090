import { describe, expect, test } from 'vitest'
import { checkBooks } from '../credits/index.ts'
import {
  batchDone,
  callOf,
  changeBatch,
  createBatch,
  eventually,
  phoneOf,
  readBatch,
  rowsOf,
  useLists,
} from './testing.ts'

const lists = useLists()

describe('a batch on its last credits or its last call', () => {
  test('keeps running while its own calls hold the last credits', async () => {
    const { client } = await lists.app.signUp()
    lists.play(() => ({ answers: true, seconds: 20 }))
    const { batchId } = (
      await createBatch(
        client,
        rowsOf(4, 360).map((each) => callOf(each, { maxDurationMinutes: 10 })),
      )
    ).data
    const states = new Set<string>()
    const ended = await eventually(
      async () => {
        const batch = await readBatch(client, batchId)
        states.add(batch.status)
        return batch
      },
      ({ status }) => expect(status).toBe('done'),
    )
    expect(ended.counts).toEqual({ completed: 4 })
    expect([...states].toSorted()).toEqual(['done', 'running'])
    await checkBooks(lists.app.context.db)
  })

  test('can be resumed while its last contact is in a call', async () => {
    const { client } = await lists.signUpWith(20)
    const answered = Promise.withResolvers<void>()
    lists.play(() => ({ answers: true, seconds: 20 }), answered.promise)
    const { batchId } = (await createBatch(client, [callOf(phoneOf(370))])).data
    await eventually(
      () => readBatch(client, batchId),
      ({ contacts }) => expect(contacts).toMatchObject({ waiting: 0, calling: 1 }),
    )
    expect((await changeBatch(client, batchId, { action: 'pause' })).data).toMatchObject({ status: 'paused' })
    expect(await changeBatch(client, batchId, { action: 'resume' })).toMatchObject({
      status: 200,
      data: { status: 'running' },
    })
    answered.resolve()
    expect((await batchDone(client, batchId)).counts).toEqual({ completed: 1 })
  })
})
