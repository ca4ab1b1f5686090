import { accountsRoutes as routes } from '@parley/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../testing.ts'
import { type MailServer, startMailServer } from './testing.ts'

let mailServer: MailServer
let app: TestApp

beforeAll(async () => {
  mailServer = await startMailServer()
  app = await createTestApp({ environment: { SMTP_URL: mailServer.url, MAIL_FROM: 'Parley <hello@parley.example>' } })
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const arrived = (to: string) =>
  vi.waitFor(
    () => {
      const found = mailServer.mails.find((mail) => mail.to.includes(to))
      if (!found) throw new Error(`nothing for ${to} yet`)
      return found
    },
    { timeout: 60_000 },
  )

/** As a mail program reads it: soft line breaks and =XX undone. */
const readable = (source: string) =>
  source
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

test('sends the verification mail over SMTP as text and HTML, with a link that works', async () => {
  const body = { email: 'grace@example.org', fullName: 'Grace Hopper', password: TEST_PASSWORD }
  await app.client().request(routes.register, { body })
  const mail = await arrived(body.email)
  expect(mail.from).toBe('hello@parley.example')
  const source = readable(mail.source)
  expect(source).toMatch(/^Content-Type: multipart\/alternative/m)
  expect(source).toMatch(/^Content-Type: text\/plain/m)
  expect(source).toMatch(/^Content-Type: text\/html/m)
  expect(source).toMatch(/^From: Parley <hello@parley\.example>/m)
  expect(source).toMatch(/^Subject: Verify your email address for Parley/m)
  const token = /\/verify-email\?token=([\w.-]+)/.exec(source)?.[1] ?? ''
  const client = app.client()
  expect((await client.request(routes.verifyEmail, { query: { token } })).status).toBe(200)
  expect((await client.request(routes.login, { body })).status).toBe(200)
})

test('sends a mail again after one failure of the mail server', async () => {
  mailServer.failOnce()
  const email = 'patient@example.org'
  await app.client().request(routes.register, { body: { email, fullName: 'Ada', password: TEST_PASSWORD } })
  expect((await arrived(email)).to).toEqual([email])
}, 90_000)

test('a line break in a name adds no header to the mail', async () => {
  const email = 'head@example.org'
  const fullName = 'Ada\r\nBcc: everybody@example.org'
  await app.client().request(routes.register, { body: { email, fullName, password: TEST_PASSWORD } })
  const mail = await arrived(email)
  expect(mail.to).toEqual([email])
  expect(mail.source.split('\r\n\r\n', 1)[0]).not.toMatch(/^Bcc:/im)
})
