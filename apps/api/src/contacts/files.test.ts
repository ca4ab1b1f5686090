import { Readable } from 'node:stream'
import { contactsRoutes as routes, pathOf } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { makeOlder } from './testing.ts'
import { readVcards, writeVcard } from './vcard.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const add = (
  client: Client,
  fields: { name: string; phone: string; email?: string; notes?: string; tags?: string[] },
) => client.request(routes.create, { body: fields })

async function upload(
  client: Client,
  userId: string,
  fileName: string,
  text: string,
): Promise<{ status: number; body: unknown }> {
  const path = `${pathOf(routes.import, { id: userId })}?fileName=${encodeURIComponent(fileName)}`
  const response = await client.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: text,
  })
  return { status: response.status, body: await response.json() }
}

async function download(client: Client, userId: string, format: 'csv' | 'vcf') {
  const response = await client.fetch(`${pathOf(routes.export, { id: userId })}?format=${format}`)
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="contacts.${format}"`)
  return response.text()
}

const listed = async (client: Client, userId: string, query = {}) =>
  (await client.request(routes.list, { params: { id: userId }, query })).data

async function cardsIn(...parts: string[]) {
  const cards = []
  for await (const card of readVcards(Readable.from(parts))) cards.push(card)
  return cards
}

describe('a file of contacts', () => {
  test('adds new contacts, completes known ones and lists the dropped rows', async () => {
    const { client, user } = await app.signUp()
    await add(client, { name: 'Ada', phone: '+14155550100', notes: 'Mine', tags: ['friend'] })
    await makeOlder(app.context.db, user.id)
    const csv = [
      'First Name,Last Name,Phone 1 - Value,E-mail 1 - Value,Organization Name,Labels',
      'Augusta,King,+1 415-555-0100,ada@engines.example,Engines,vip;friend',
      '"Hopper, Grace",,+44 20 7946 0018,,Navy,* myContacts ::: vip',
      'Nobody,,,,,',
      'Wrong,,12,,,',
      'Desk,,+1 415-555-0100 x5,,,',
      'Grace,,00442079460018,grace@navy.example,,',
    ].join('\r\n')
    expect(await upload(client, user.id, 'people.CSV', csv)).toEqual({
      status: 200,
      body: {
        added: 1,
        changed: 1,
        dropped: [
          { row: 4, name: 'Nobody', phone: '', code: 'number_missing' },
          { row: 5, name: 'Wrong', phone: '12', code: 'number_invalid' },
          { row: 6, name: 'Desk', phone: '+1 415-555-0100 x5', code: 'number_extension' },
        ],
      },
    })
    const [grace, ada] = await listed(client, user.id)
    expect(grace).toMatchObject({
      name: 'Hopper, Grace',
      company: 'Navy',
      email: 'grace@navy.example',
      tags: ['myContacts', 'vip'],
    })
    expect(ada).toMatchObject({
      name: 'Ada',
      email: 'ada@engines.example',
      company: 'Engines',
      notes: 'Mine',
      tags: ['vip', 'friend'],
    })
    expect((await listed(client, user.id, { tag: 'vip' })).map(({ name }) => name)).toEqual(['Hopper, Grace', 'Ada'])
    const tags = await client.request(routes.tags, { params: { id: user.id } })
    expect(tags.data[0]).toEqual({ tag: 'vip', contacts: 2 })
  })

  test.each(['csv', 'vcf'] as const)('exported as %s imports with the same fields', async (format) => {
    const [{ client, user }, { client: other, user: friend }] = [await app.signUp(), await app.signUp()]
    await add(client, {
      name: '=cmd()|x, "Ada"; of\\Sons',
      phone: '+14155550100',
      notes: 'Two\nlines, and more',
      tags: ['a, b', 'c'],
    })
    await add(client, { name: 'Ünïcode '.repeat(20).trim(), phone: '+442079460018', email: 'x@y.example' })
    const file = await download(client, user.id, format)
    expect(file).not.toMatch(/(^|,|")[=@-]/m)
    expect(await upload(other, friend.id, `contacts.${format}`, file)).toMatchObject({
      body: { added: 2, dropped: [] },
    })
    const essence = async (whose: Client, id: string) =>
      (await listed(whose, id))
        .map(({ name, phone, email, notes }) => ({ name, phone, email, notes }))
        .toSorted((a, b) => a.phone.localeCompare(b.phone))
    expect(await essence(other, friend.id)).toEqual(await essence(client, user.id))
  })

  test.each([
    ['people.txt', 'name,phone'],
    ['people.vcf', 'no card at all'],
    ['people.csv', ''],
  ])('without contacts is refused: %s', async (fileName, text) => {
    const { client, user } = await app.signUp()
    expect(await upload(client, user.id, fileName, text)).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', field: 'file' },
    })
    expect(await listed(client, user.id)).toEqual([])
  })

  test('in vCard 2.1 is read', async () => {
    const card =
      'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=\r\n=B6rg\r\nTEL;HOME:1\r\nitem1.TEL;TYPE=pref:tel:+49 30 901820\r\nNOTE:a\\, b\\nc\r\n  d\r\nEND:VCARD\r\n'
    expect(await cardsIn(card)).toMatchObject([{ name: 'Jörg Müller', phone: '+49 30 901820', notes: 'a, b\nc d' }])
    // At every chunk boundary.
    for (let at = 1; at < card.length; at += 7)
      expect(await cardsIn(card.slice(0, at), card.slice(at))).toEqual(await cardsIn(card))
  })

  test('with line breaks in a value injects no vCard property, on import and export', async () => {
    const inside = 'Ada\rTEL:+19005550100\rEND:VCARD'
    const card = `BEGIN:VCARD\r\nFN:${inside}\r\nTEL:+14155550100\r\nNOTE;ENCODING=QUOTED-PRINTABLE:a=0DTEL:2\r\nEND:VCARD\r\n`
    expect(await cardsIn(card)).toMatchObject([
      { name: inside.replaceAll('\r', '\n'), phone: '+14155550100', notes: 'a\nTEL:2' },
    ])
    const [email, company, title, notes] = [null, `Engines\rTEL:1`, 'x\r\nTEL:2', 'y\n\rTEL:3']
    const written = writeVcard({
      name: inside,
      phone: '+14155550100',
      email,
      company,
      title,
      notes,
      tags: ['a\rTEL:4'],
    })
    expect(
      written
        .replaceAll('\r\n ', '')
        .split(/\r\n|\r|\n/)
        .filter((line) => line.startsWith('TEL')),
    ).toEqual(['TEL:+14155550100'])
    expect(await cardsIn(written)).toMatchObject([
      { name: inside.replaceAll('\r', '\n'), phone: '+14155550100', notes: 'y\n\nTEL:3' },
    ])
  })

  test('of 500,000 folded lines is read in linear time', async () => {
    const begin = 'BEGIN:VCARD\nNOTE;ENCODING=QUOTED-PRINTABLE:'
    const end = '\nTEL:+14155550100\nEND:VCARD\n'
    for (const fold of ['a=\n', 'a\n ', 'a'])
      expect(await cardsIn(begin, fold.repeat(500_000), end)).toMatchObject([{ phone: '+14155550100' }])
  })
})

test('merging keeps the oldest contact of a number with the fields of all', async () => {
  const { client, user } = await app.signUp()
  const { data: first } = await add(client, { name: 'Ada', phone: '+14155550100', notes: 'One', tags: ['x'] })
  await makeOlder(app.context.db, user.id)
  await add(client, {
    name: 'A. Lovelace',
    phone: '+14155550100',
    email: 'ada@engines.example',
    notes: 'Two',
    tags: ['y', 'X'],
  })
  await makeOlder(app.context.db, user.id)
  await add(client, { name: 'Grace', phone: '+442079460018' })
  const params = { id: user.id }
  const duplicates = await client.request(routes.duplicates, { params })
  expect(duplicates.data).toMatchObject([
    { phone: '+14155550100', contacts: [{ name: 'Ada' }, { name: 'A. Lovelace' }] },
  ])
  expect((await client.request(routes.merge, { params, body: { phone: '+442079460018' } })).data).toEqual({
    removed: 0,
  })
  expect((await client.request(routes.merge, { params })).data).toEqual({ removed: 1 })
  const left = await listed(client, user.id)
  expect(left.map(({ name }) => name)).toEqual(['Grace', 'Ada'])
  expect(left[1]).toMatchObject({ id: first.id, email: 'ada@engines.example', notes: 'One\nTwo', tags: ['y', 'x'] })
  expect((await client.request(routes.duplicates, { params })).data).toEqual([])
})

test('tags, duplicates, files and merging return 404 to another user', async () => {
  const [{ client, user }, { client: stranger }] = [await app.signUp(), await app.signUp()]
  await add(client, { name: 'Ada', phone: '+14155550100' })
  for (const route of [routes.tags, routes.duplicates, routes.export]) {
    expect((await stranger.fetch(pathOf(route, { id: user.id }))).status).toBe(404)
  }
  expect((await upload(stranger, user.id, 'x.csv', 'name,phone\nEve,+14155550101')).status).toBe(404)
  expect((await stranger.request(routes.merge, { params: { id: user.id } })).status).toBe(404)
  expect(await listed(client, user.id)).toHaveLength(1)
})
