import { BATCH_ROWS_MAX, BatchImport, batchesRoutes as routes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { batchDone, changeBatch, phoneOf, readBatch, uploadList, useLists } from '../testing.ts'

const lists = useLists()
const consent = { marketing: false, permission: 'relationship', details: 'Guests of March' }

/** BATCH_ROWS_MAX with `npm run soak`. */
const MANY = process.env['SOAK'] === undefined ? 10_000 : BATCH_ROWS_MAX

describe('an uploaded file', () => {
  test('fills {{name}} and {{phone}} from the mapped columns, whatever their names', async () => {
    const { client, user } = await lists.signUpWith(50)
    lists.play(() => ({ answers: true }))
    const text = `Customer,Mobile,Name\nBob,${phoneOf(1100)},\nEve,${phoneOf(1101)},Evelyn\n`
    const { batchId } = BatchImport.parse(await (await uploadList(client, text)).json())
    await client.request(routes.mapImport, { params: { id: batchId }, body: { phone: 'Mobile', name: 'Customer' } })
    await changeBatch(client, batchId, { plan: { purpose: 'Ask {{Name}} at {{phone}} about lunch' }, consent })
    expect((await client.request(routes.missing, { params: { id: batchId } })).data).toEqual([])
    expect((await changeBatch(client, batchId, { action: 'start' })).status).toBe(200)
    await batchDone(client, batchId)
    const purposes = lists.voice.orders.filter(({ userId }) => userId === user.id).map(({ purpose }) => purpose)
    expect(purposes.toSorted()).toEqual([
      `Ask Bob at ${phoneOf(1100)} about lunch`,
      `Ask Evelyn at ${phoneOf(1101)} about lunch`,
    ])
  })

  test('in JSON may have the number under a different known field in each row', async () => {
    const { client } = await lists.app.signUp()
    const rows = [
      { phone: phoneOf(1120) },
      { Phone: phoneOf(1121) },
      { phone_number: phoneOf(1122) },
      { mobile: phoneOf(1123) },
    ]
    const list = BatchImport.parse(await (await uploadList(client, JSON.stringify(rows), 'people.json')).json())
    expect(list.preview.map(({ phone }) => phone)).toEqual([phoneOf(1120), phoneOf(1121), phoneOf(1122)])
    expect(list.droppedByCode).toEqual({ number_missing: 1 })
  })

  // screens.md: csv-may-number-none
  test.each(['phone', 'Phone', 'phone_number'])(
    'in CSV may have the number in %s; a row without a number is dropped',
    async (column) => {
      const { client } = await lists.app.signUp()
      const list = BatchImport.parse(
        await (await uploadList(client, `name, ${column}\n\nAda, ${phoneOf(1140)}\n\nNobody,\n`)).json(),
      )
      expect(list).toMatchObject({
        contacts: 1,
        dropped: 1,
        droppedByCode: { number_missing: 1 },
        preview: [{ phone: phoneOf(1140), name: 'Ada' }],
      })
    },
  )

  test(`of ${MANY} rows is read completely, with the first five as a preview`, async () => {
    const { client } = await lists.app.signUp()
    const rows = Array.from({ length: MANY }, (_, index) => `+1212${2_000_000 + index},Guest ${index}`)
    const list = BatchImport.parse(await (await uploadList(client, `phone,name\n${rows.join('\n')}\n`)).json())
    expect(list).toMatchObject({ contacts: MANY, dropped: 0 })
    expect(list.preview.map(({ name }) => name)).toEqual(['Guest 0', 'Guest 1', 'Guest 2', 'Guest 3', 'Guest 4'])
  }, 120_000)

  test('drops directory assistance and numbers with an extension, each with its reason', async () => {
    const { client } = await lists.app.signUp()
    const rows = [
      phoneOf(1130),
      '+1 212 555 1212',
      `${phoneOf(1131)} x5`,
      `${phoneOf(1132)};ext=5`,
      `${phoneOf(1133)}#5`,
    ]
    const list = BatchImport.parse(await (await uploadList(client, `phone\n${rows.join('\n')}\n`)).json())
    expect(list).toMatchObject({ contacts: 1, droppedByCode: { number_directory: 1, number_extension: 3 } })
  })

  test('refuses to start when every row lacks a variable, and names the variable', async () => {
    const { client } = await lists.signUpWith(50)
    const { batchId } = BatchImport.parse(
      await (await uploadList(client, `phone,company\n${phoneOf(1110)},Acme\n`)).json(),
    )
    await changeBatch(client, batchId, { plan: { purpose: 'Ask about the {{compny}} meeting' }, consent })
    expect(await changeBatch(client, batchId, { action: 'start' })).toMatchObject({
      status: 422,
      body: { code: 'variables_missing' },
    })
    expect(await changeBatch(client, batchId, { action: 'start', dropIncomplete: true })).toMatchObject({
      status: 422,
      body: { code: 'nobody_left', message: expect.stringContaining('every row lacks {{compny}}') },
    })
  })

  // screens.md: becomes-draft-guessed-columns
  test('becomes a draft with guessed columns, a preview and dropped rows; its rows fill the variables', async () => {
    const { client, user } = await lists.signUpWith(50)
    const lines = [
      'Name;Mobile;Table',
      `Ada;${phoneOf(1000)};7`,
      `"Grace; Hopper";${phoneOf(1001)};8`,
      ';;',
      'Nobody;;9',
      `Twin;${phoneOf(1000)};1`,
      `Alan;${phoneOf(1002)};`,
    ]
    const answer = await uploadList(client, `\uFEFF${lines.join('\r\n')}`)
    expect(answer.status).toBe(201)
    const draft = BatchImport.parse(await answer.json())
    expect(draft).toMatchObject({
      columns: ['Name', 'Mobile', 'Table'],
      mapping: { phone: 'Mobile', name: 'Name' },
      contacts: 3,
      dropped: 2,
      droppedByCode: { number_missing: 1, number_duplicate: 1 },
      droppedFirst: [
        { row: 5, code: 'number_missing' },
        { row: 6, code: 'number_duplicate' },
      ],
    })
    expect(draft.preview[1]).toEqual({
      phone: phoneOf(1001),
      name: 'Grace; Hopper',
      context: { Name: 'Grace; Hopper', Mobile: phoneOf(1001), Table: '8' },
    })
    const { batchId } = draft
    expect(await changeBatch(client, batchId, { action: 'start' })).toMatchObject({ status: 400 })
    const plan = {
      purpose: 'Tell {{name}} that table {{ table }} is ready',
      objectives: ['{{Name}} comes'],
      maxDurationMinutes: 1,
    }
    await changeBatch(client, batchId, { plan })
    expect(await changeBatch(client, batchId, { action: 'start' })).toMatchObject({
      status: 422,
      body: { code: 'consent_required' },
    })
    // A page saves the text while it is typed.
    for (const details of ['Gues', 'Guests of'])
      await changeBatch(client, batchId, { consent: { ...consent, details } })
    await changeBatch(client, batchId, { consent })
    expect((await client.request(routes.missing, { params: { id: batchId } })).data).toEqual([
      { variable: 'table', rows: 1 },
    ])
    expect(await changeBatch(client, batchId, { action: 'start' })).toMatchObject({
      status: 422,
      body: { code: 'variables_missing', message: 'There is no value for {{table}} in 1 row.' },
    })
    expect((await readBatch(client, batchId)).estimate).toMatchObject({
      calls: 3,
      mostCredits: 3,
      availableCredits: 60,
    })
    lists.play(() => ({ answers: true, seconds: 20 }))
    expect((await changeBatch(client, batchId, { action: 'start', dropIncomplete: true })).data).toMatchObject({
      status: 'running',
      totalCalls: 2,
    })
    await batchDone(client, batchId)
    const orders = lists.voice.orders.filter(({ userId }) => userId === user.id)
    expect(orders.map(({ purpose }) => purpose).toSorted()).toEqual([
      'Tell Ada that table 7 is ready',
      'Tell Grace; Hopper that table 8 is ready',
    ])
    expect(orders[0]).toMatchObject({ context: { Table: expect.any(String) } })
    const { rows } = await lists.app.context.database.pool.query<{ detail: string }>(
      `select detail from consent_audit where kind = 'evidence' and batch_id = $1`,
      [batchId],
    )
    expect(rows).toEqual([{ detail: `${consent.permission}: ${consent.details}` }])
  })

  test('in JSON becomes a draft whose columns can be mapped again', async () => {
    const { client } = await lists.app.signUp()
    const people = [
      { contact: 'Ada', phone: phoneOf(1100), other: phoneOf(1101), tags: ['a'] },
      { contact: 'Alan', phone: 'none', other: phoneOf(1102) },
    ]
    const answer = await uploadList(client, JSON.stringify(people), 'people.json')
    const draft = BatchImport.parse(await answer.json())
    expect(draft).toMatchObject({
      mapping: { phone: 'phone', name: 'contact' },
      contacts: 1,
      dropped: 1,
      droppedByCode: { number_invalid: 1 },
    })
    const params = { id: draft.batchId }
    const mapped = await client.request(routes.mapImport, { params, body: { phone: 'other', name: null } })
    expect(mapped.data).toMatchObject({
      contacts: 2,
      dropped: 0,
      preview: [{ phone: phoneOf(1101) }, { phone: phoneOf(1102) }],
    })
    expect((await client.request(routes.getImport, { params })).data).toEqual(mapped.data)
    expect(await client.request(routes.mapImport, { params, body: { phone: 'nothing', name: null } })).toMatchObject({
      status: 400,
    })
  })

  test.each([
    ['semicolons', 'phone;name\n+12125551200;Ann\n'],
    ['tabs', 'phone\tname\r\n+12125551200\tAnn\r\n'],
    ['semicolons, and commas in a name', '"name, first";phone\n"Ann, B";+12125551200\n'],
    ['the separator of a sep= line', 'sep=;\nphone;name\n+12125551200;Ann'],
    ['commas, without a header', '+12125551200,Ann\n'],
  ])('of one contact is read with columns divided by %s', async (_, text) => {
    const { client } = await lists.app.signUp()
    const draft = BatchImport.parse(await (await uploadList(client, text)).json())
    expect(draft).toMatchObject({ contacts: 1, dropped: 0, preview: [{ phone: '+12125551200' }] })
    expect(Object.values(draft.preview[0]!.context)).toContainEqual(expect.stringMatching(/^Ann/))
  })

  test('longer than one read chunk keeps its rows whole and counts rows as a spreadsheet does', async () => {
    const { client } = await lists.app.signUp()
    const rows = Array.from({ length: 3000 }, (_, index) => {
      return `+1212${2_000_000 + index},"Guest ${index}, ""Ann""\nof ${'x'.repeat(index % 40)}"`
    })
    // Two exports put together with a text editor: the second one's mark stands in the middle.
    rows[2000] = `\uFEFF${rows[2000]}`
    const draft = BatchImport.parse(await (await uploadList(client, `phone,name\n${rows.join('\n')}\n,Nobody`)).json())
    expect(draft).toMatchObject({ contacts: 3000, dropped: 1, droppedFirst: [{ row: 3002, code: 'number_missing' }] })
    expect(draft.preview[1]?.name).toBe('Guest 1, "Ann"\nof x')
  })

  test('in Latin-1 or UTF-8 keeps its accents', async () => {
    const { client } = await lists.app.signUp()
    const draftOf = async (body: Uint8Array) => {
      const answer = await client.fetch('/api/batch-calls/import?fileName=people.csv', {
        method: 'POST',
        headers: { 'content-type': 'text/csv' },
        body,
      })
      return BatchImport.parse(await answer.json())
    }
    const text = `name,phone\nJosé Müller,${phoneOf(1210)}\n`
    expect((await draftOf(Buffer.from(text, 'latin1'))).preview[0]?.name).toBe('José Müller')
    expect((await draftOf(Buffer.from(text, 'utf8'))).preview[0]?.name).toBe('José Müller')
    expect((await draftOf(Buffer.from(`phone,name\n${phoneOf(1210)},José`, 'latin1'))).preview[0]?.name).toBe('José')
  })

  test('with __proto__ as a column gets a new column name; in JSON it is refused', async () => {
    const { client } = await lists.app.signUp()
    const draft = BatchImport.parse(await (await uploadList(client, `phone,__proto__\n${phoneOf(1220)},x\n`)).json())
    expect(draft).toMatchObject({
      columns: ['phone', 'column 2'],
      preview: [{ context: { phone: phoneOf(1220), 'column 2': 'x' } }],
    })
    for (const trap of ['"__proto__":{"a":1}', '"constructor":{"prototype":{}}', String.raw`"\u005f_proto__":1`]) {
      expect((await uploadList(client, `[{"phone":"${phoneOf(1220)}",${trap}}]`, 'x.json')).status).toBe(400)
    }
    expect((await uploadList(client, `[{"phone":"${phoneOf(1220)}","constructor":"Bauer AG"}]`, 'x.json')).status).toBe(
      201,
    )
  })

  // screens.md: cannot-read
  test.each([
    ['one JSON object', '{"phone": "+12125551000"}', 'x.json'],
    ['broken JSON', '[{"phone": "+1"', 'x.json'],
    ['a trailing comma', '[{"phone": "+1"},]', 'x.json'],
    ['an open quote', 'phone,name\n+12125551000,"Ada\n+12125551001,Alan\n', 'x.csv'],
    ['an open quote in a long list', `phone,name\n${'+12125551000,Ada\n'.repeat(9000)}+12125551001,"Al`, 'x.csv'],
    ['a word after a quote that nothing closes', `phone,name\n+1,"A" B\n${'+12125551000,Ada\n'.repeat(9000)}`, 'x.csv'],
    ['a workbook', 'PK\u0003\u0004\u0000\u0000', 'x.csv'],
    ['no bytes', '', 'x.csv'],
    ['another file type', 'phone\n+12125551000', 'x.txt'],
  ])('of %s is refused and makes no batch', async (_, text, fileName) => {
    const { client, user } = await lists.app.signUp()
    const answer = await uploadList(client, text, fileName)
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { message: 'Failed to parse file. Please check the format.' },
    ])
    expect((await client.request(routes.list, { params: { id: user.id } })).data).toEqual([])
  })

  test('of more than 10 MB gets 413', async () => {
    const { client } = await lists.app.signUp()
    const answer = await uploadList(client, `phone\n${'+12125551000\n'.repeat(850_000)}`).catch(
      (error: unknown) => error,
    )
    // The server may close the connection before the client has read the answer.
    expect(answer instanceof Response ? answer.status : answer instanceof Error).toBeOneOf([413, true])
  })
})
