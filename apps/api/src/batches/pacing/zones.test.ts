import { BatchImport } from '@parley/contract'
import { expect, test } from 'vitest'
import { phoneOf, uploadList, useLists } from '../testing.ts'

const lists = useLists()

test('drops a row with an unknown time zone and keeps a row without one', async () => {
  const { client } = await lists.app.signUp()
  const zones = ['Mars/X', 'UTC+9', '+09:00', 'America/New_York', 'america/chicago', 'EST', '']
  const rows = zones.map((zone, at) => `${phoneOf(1300 + at)},${zone}`)
  const list = BatchImport.parse(await (await uploadList(client, `phone,timezone\n${rows.join('\n')}\n`)).json())
  expect(list).toMatchObject({ contacts: 4, droppedByCode: { timezone_unknown: 3 } })
})

test('a column "zone" without time zones drops no row', async () => {
  const { client } = await lists.app.signUp()
  const list = BatchImport.parse(await (await uploadList(client, `phone,zone\n${phoneOf(1310)},North\n`)).json())
  expect(list).toMatchObject({ contacts: 1, droppedByCode: {} })
})

test('refuses a profile time zone outside the offered ones and lists them', async () => {
  const { client, user } = await lists.app.signUp()
  for (const timezone of ['Mars/X', 'UTC+9']) {
    const answer = await client.fetch(`/api/user/${user.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ timezone }),
    })
    const message: unknown = expect.stringMatching(/^"timezone" must be one of "UTC", "America\/New_York", .+\.$/)
    expect(await answer.json()).toEqual({ code: 'invalid_input', field: 'timezone', message })
  }
})
