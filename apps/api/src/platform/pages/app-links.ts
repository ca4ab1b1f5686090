import {
  APP_ID,
  APP_LINKS,
  BRAND,
  LANGUAGE_DEFAULT,
  type Language,
  returnTargetOf,
  SHELL_RETURN_PATH,
  SHELL_RETURN_URL,
  SHELL_SIGN_IN_PATHS,
  SHELL_SIGN_IN_URLS,
} from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../errors.ts'
import { contentSecurityPolicy } from './protection.ts'
import { pageLanguageOf } from './web.ts'

export interface AppLinks {
  /** Apple's id of the team that signs the app; undefined: iOS opens no link of this host in the app. */
  readonly appleTeamId: string | undefined
  /** SHA-256 fingerprints of Android's signing certificates; none: the same for Android. */
  readonly androidCertificates: readonly string[]
}

/** Serves what tells phones that the app may open this host's links, and the pages that lead back into the app. */
export function addAppLinks(fastify: FastifyInstance, publicUrl: string, links: AppLinks): void {
  const { appleTeamId, androidCertificates } = links
  fastify.get('/.well-known/apple-app-site-association', (_request, reply) => {
    if (appleTeamId === undefined) throw notFound('An app for iOS')
    return reply.type('application/json').send(appleAssociation(`${appleTeamId}.${APP_ID}`))
  })
  fastify.get('/.well-known/assetlinks.json', (_request, reply) => {
    if (androidCertificates.length === 0) throw notFound('An app for Android')
    return reply.send(androidAssociation(androidCertificates))
  })
  const policy = contentSecurityPolicy(publicUrl, { style: STYLE })
  const lead = (request: FastifyRequest, reply: FastifyReply, url: string) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .header('vary', 'cookie, accept-language')
      .send(pageTo(url, pageLanguageOf(request) ?? LANGUAGE_DEFAULT))
  fastify.get(SHELL_RETURN_PATH, (request, reply) => {
    const target = returnTargetOf(queryOf(request)) ?? START
    return lead(request, reply, `${SHELL_RETURN_URL}?${new URLSearchParams({ to: target }).toString()}`)
  })
  for (const provider of ['Google', 'Apple'] as const) {
    fastify.get(SHELL_SIGN_IN_PATHS[provider], (request, reply) =>
      lead(request, reply, `${SHELL_SIGN_IN_URLS[provider]}?${signInOf(queryOf(request)).toString()}`),
    )
  }
}

const START = '/dashboard'

function queryOf({ url }: FastifyRequest): URLSearchParams {
  return new URL(url, 'http://parley.invalid').searchParams
}

/** The code of a sign-in or its error, and nothing else that somebody wrote into a link. */
function signInOf(query: URLSearchParams): URLSearchParams {
  const code = query.get('code') ?? ''
  if (/^[\w-]{1,200}$/.test(code)) return new URLSearchParams({ code })
  const error = query.get('error') ?? ''
  return new URLSearchParams({ error: /^\w{1,60}$/.test(error) ? error : 'oauth_failed' })
}

function appleAssociation(appId: string) {
  const components = APP_LINKS.map((link) => ({
    '/': link.path,
    ...('query' in link && { '?': { [link.query]: '?*' } }),
  }))
  return { applinks: { details: [{ appIDs: [appId], components }] }, webcredentials: { apps: [appId] } }
}

function androidAssociation(certificates: readonly string[]) {
  const relation = ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds']
  const target = { namespace: 'android_app', package_name: APP_ID, sha256_cert_fingerprints: certificates }
  return [{ relation, target }]
}

const WORDS: Readonly<Record<Language, { title: string; button: string; hint: string }>> = {
  en: {
    title: `Back to ${BRAND.product}`,
    button: 'Open the app',
    hint: 'If the app does not open by itself, tap the button. You can close this page afterwards.',
  },
  es: {
    title: `Volver a ${BRAND.product}`,
    button: 'Abrir la aplicación',
    hint: 'Si la aplicación no se abre sola, pulsa el botón. Después puedes cerrar esta página.',
  },
}

const STYLE = `
:root{color-scheme:light dark;--paper:#fbfcfa;--ink:#10231a;--brand:#2e7d32;--on:#fff}
@media(prefers-color-scheme:dark){:root{--paper:#0e1512;--ink:#e6efe9;--brand:#81c784;--on:#0e1512}}
body{font:17px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--ink)}
main{max-width:24rem;padding:24px;text-align:center}h1{font-size:24px}
a{display:inline-block;padding:14px 28px;border-radius:12px;background:var(--brand);color:var(--on);text-decoration:none;font-weight:600}
a:focus-visible{outline:3px solid var(--ink);outline-offset:2px}`

/** A page without scripts that opens the app at once, or by its button where the browser wants a tap. */
function pageTo(url: string, language: Language): string {
  const { title, button, hint } = WORDS[language]
  const address = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><meta http-equiv="refresh" content="0;url=${address}"><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p><a href="${address}">${button}</a></p><p>${hint}</p></main></body></html>`
}
