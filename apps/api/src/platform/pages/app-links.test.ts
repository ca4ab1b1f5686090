import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing.ts'

const FINGERPRINT = Array.from({ length: 32 }, () => 'AB').join(':')
let app: TestApp
let bare: TestApp

beforeAll(async () => {
  ;[app, bare] = await Promise.all([
    createTestApp({ environment: { APPLE_TEAM_ID: 'ABCDE12345', ANDROID_CERT_SHA256: FINGERPRINT } }),
    createTestApp(),
  ])
})
afterAll(() => Promise.all([app.close(), bare.close()]))

describe('app links', () => {
  test("apple-app-site-association names the team's app, its links and its passwords", async () => {
    const answer = await app.client().fetch('/.well-known/apple-app-site-association')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(await answer.json()).toEqual({
      applinks: {
        details: [
          {
            appIDs: ['ABCDE12345.example.parley.app'],
            components: [
              { '/': '/verify-email' },
              { '/': '/reset-password' },
              { '/': '/dashboard', '?': { call: '?*' } },
              { '/': '/calls/*' },
              { '/': '/app/*' },
            ],
          },
        ],
      },
      webcredentials: { apps: ['ABCDE12345.example.parley.app'] },
    })
  })

  test("assetlinks.json names the app's certificate for links and passwords", async () => {
    expect(await (await app.client().fetch('/.well-known/assetlinks.json')).json()).toEqual([
      {
        relation: ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds'],
        target: {
          namespace: 'android_app',
          package_name: 'example.parley.app',
          sha256_cert_fingerprints: [FINGERPRINT],
        },
      },
    ])
  })

  test('are 404 without their variables', async () => {
    for (const path of ['/.well-known/apple-app-site-association', '/.well-known/assetlinks.json'])
      expect((await bare.client().fetch(path)).status).toBe(404)
  })
})

describe('the page that leads back into the app', () => {
  const visit = async (path: string, language = 'en') => {
    const answer = await app.client().fetch(path, { headers: { 'accept-language': language } })
    const text = await answer.text()
    return { answer, text, link: /<a href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') }
  }

  test('opens the app at the page of the payment, by itself and by its button', async () => {
    const { answer, text, link } = await visit(
      '/app/return?to=/billing/success&payment_intent=pi_1&redirect_status=failed',
    )
    expect(answer.status).toBe(200)
    expect(link).toBe('parley://return?to=%2Fbilling%2Fsuccess%3Fpayment_intent%3Dpi_1%26redirect_status%3Dfailed')
    expect(text).toContain(`<meta http-equiv="refresh" content="0;url=${link}">`)
  })

  test.each(['?to=https://evil.example', '?to=javascript:alert(1)', '?to="><script>alert(1)</script>', ''])(
    'opens the dashboard for %s',
    async (query) => {
      const { link, text } = await visit(`/app/return${query}`)
      expect(link).toBe('parley://return?to=%2Fdashboard')
      expect(text).not.toMatch(/script|evil/)
    },
  )

  test.each([
    ['/app/auth/google?code=abc-_1', 'parley://auth/google?code=abc-_1'],
    ['/app/auth/apple?code=abc', 'parley://auth/apple?code=abc'],
    ['/app/auth/google?error=email_not_verified', 'parley://auth/google?error=email_not_verified'],
    ['/app/auth/google?code="><script>', 'parley://auth/google?error=oauth_failed'],
  ])('%s opens %s', async (path, url) => {
    expect((await visit(path)).link).toBe(url)
  })

  test('has no script, a policy that allows none from elsewhere, and is not stored', async () => {
    const { answer, text } = await visit('/app/return?to=/billing')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(text).not.toContain('<script')
    expect(policy).toContain("script-src 'self';")
    expect(policy).toMatch(/style-src 'self' 'sha256-[^']+';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('speaks the language of the browser', async () => {
    expect((await visit('/app/return', 'es-MX')).text).toMatch(/<html lang="es">[\s\S]*Abrir la aplicación/)
    expect((await visit('/app/return', 'fr')).text).toMatch(/<html lang="en">[\s\S]*Open the app/)
  })
})
