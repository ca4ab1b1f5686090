import { get, type IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { accountsRoutes as routes } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const [other, own, ownPage] = ['https://evil.example', 'http://localhost:3000', 'http://localhost:3000/settings']
const fetched = (site: string, mode: string, dest: string) => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': mode,
  'sec-fetch-dest': dest,
})

test.each<[string, Record<string, string>, number, boolean]>([
  ['an image of another site', fetched('cross-site', 'no-cors', 'image'), 403, false],
  ['a frame of another site', fetched('cross-site', 'navigate', 'iframe'), 302, false],
  ['a script of another site', { ...fetched('cross-site', 'cors', 'empty'), origin: other }, 403, false],
  ['a link on another site', fetched('cross-site', 'navigate', 'document'), 302, false],
  ['a link on another port', fetched('same-site', 'navigate', 'document'), 302, false],
  ["an image on Parley's own page", fetched('same-origin', 'no-cors', 'image'), 403, false],
  ['an old browser that says it comes from another site', { referer: `${other}/page` }, 403, false],
  ['an old browser whose link is on another site', { referer: `${other}/page`, accept: 'text/html' }, 302, false],
  ['a page with the origin null', { origin: 'null' }, 403, false],
  ["Parley's own page", fetched('same-origin', 'navigate', 'document'), 302, true],
  ['a typed address', fetched('none', 'navigate', 'document'), 302, true],
  ["Parley's own script", fetched('same-origin', 'cors', 'empty'), 302, true],
  [
    "the native app's origin with a cookie",
    { ...fetched('cross-site', 'cors', 'empty'), origin: 'capacitor://localhost' },
    204,
    false,
  ],
  ["an old browser on Parley's own page", { referer: ownPage, accept: 'text/html' }, 302, true],
  ["Parley's own Origin header", { origin: own }, 302, true],
  ['a program', {}, 302, true],
])("logout asked by %s ends the session only from Parley's own pages", async (_, headers, status, isOut) => {
  const { client } = await app.signUp()
  // http.get, because fetch adds headers of its own.
  const answer = await new Promise<IncomingMessage>((resolve) =>
    get(`${app.url}/api/logout`, { agent: false, headers: { ...headers, cookie: client.cookieHeader() } }, resolve),
  )
  const text = await textOf(answer)
  expect(answer.statusCode).toBe(status)
  const answered = [status === 403 ? 'foreign_origin' : undefined, status === 302 ? '/' : undefined]
  expect([/"code":"(\w+)"/.exec(text)?.[1], answer.headers.location]).toEqual(answered)
  expect((await client.request(routes.currentUser)).status).toBe(isOut ? 401 : 200)
})
