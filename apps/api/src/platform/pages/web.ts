import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LANGUAGE_COOKIE, LANGUAGE_DEFAULT, PAGES, spokenLanguage, type Language } from '@parley/contract'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound } from '../errors.ts'
import { sendError } from '../http.ts'
import { isMachinePath, plainPath } from './paths.ts'
import { readLinkHeader } from './preloads.ts'
import { type CardHosts, contentSecurityPolicy, SESSION_COOKIE } from './protection.ts'

const PAGE_PATHS: ReadonlySet<string> = new Set(Object.keys(PAGES))
/** Pages with the card provider's form, entered by a full page load for their own CSP. */
const CARD_PAGES: ReadonlySet<string> = new Set([
  '/billing',
  '/credits/purchase',
  '/billing/card-payment',
  '/new-payment',
])
/** Bounds the parsing of Accept-Language. */
const TAGS_MAX = 20
const YEAR_SECONDS = 365 * 24 * 3600

/**
 * Serves the built web app: landing.html (landing.es.html) for visitors at the start page, frames/dashboard.en.html
 * etc. with a session cookie, index.html for all other pages. Unknown paths get the 404 page with status 404.
 */
export async function addWeb(
  fastify: FastifyInstance,
  webDir: string | undefined,
  publicUrl: string,
  cards: CardHosts,
): Promise<void> {
  if (webDir !== undefined) {
    await fastify.register(fastifyStatic, {
      root: webDir,
      index: false,
      wildcard: false,
      globIgnore: ['index.html', 'landing*.html', 'frames/**', '**/*.br', '**/*.gz'],
      // The build has written compressed copies of every text file.
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        // File names in assets/ contain a content hash.
        const hashed = path.includes('/assets/')
        reply.header('cache-control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
      },
    })
  }
  const policies = { plain: contentSecurityPolicy(publicUrl), cards: contentSecurityPolicy(publicUrl, { cards }) }
  const linkHeader = webDir === undefined ? undefined : await readLinkHeader(webDir)
  const frames = new Set(webDir === undefined ? [] : await readdir(join(webDir, 'frames')).catch(() => []))
  /** The prebuilt file of a page. */
  function fileOf(request: FastifyRequest, path: string): string {
    if (isForVisitor(request, path)) return landingIn(languageOf(request))
    const frame = `${path.slice(1)}.${languageOf(request)}.html`
    return SESSION_COOKIE in request.cookies && frames.has(frame) ? `frames/${frame}` : 'index.html'
  }
  fastify.setNotFoundHandler((request, reply) => {
    const path = plainPath(request.url)
    if (webDir === undefined || !wantsPage(request, path))
      return sendError(notFound('What you asked for'), request, reply)
    reply.header('content-security-policy', CARD_PAGES.has(path) ? policies.cards : policies.plain)
    const link = isForVisitor(request, path) ? undefined : linkHeader?.(path, SESSION_COOKIE in request.cookies)
    if (link !== undefined) reply.header('link', link)
    reply.header('vary', 'cookie, accept-language')
    return reply.code(PAGE_PATHS.has(path) ? 200 : 404).sendFile(fileOf(request, path))
  })
}

/** Whether to serve the landing page. With a sign-in error in the query, the app is served to explain it. */
function isForVisitor({ cookies, query }: FastifyRequest, path: string): boolean {
  const explains = typeof query === 'object' && query !== null && 'auth' in query
  return path === '/' && !explains && !(SESSION_COOKIE in cookies)
}

/** Of the page that a request comes from; undefined where nothing tells it. */
export function pageLanguageOf(request: FastifyRequest): Language | undefined {
  const { cookies, headers } = request
  // Programs accept any language.
  const isTold = cookies[LANGUAGE_COOKIE] !== undefined || !['', '*'].includes(headers['accept-language'] ?? '')
  return isTold ? languageOf(request) : undefined
}

/** The language chosen before, else the browser's preferred one. */
function languageOf({ cookies, headers }: FastifyRequest): Language {
  return spokenLanguage([cookies[LANGUAGE_COOKIE], ...languagesIn(headers['accept-language'] ?? '')])
}

function landingIn(language: Language): string {
  return language === LANGUAGE_DEFAULT ? 'landing.html' : `landing.${language}.html`
}

/** Tags of an Accept-Language header, preferred first. */
function languagesIn(header: string): string[] {
  const tags = header.split(',', TAGS_MAX).map((each) => {
    const [tag = '', quality = ''] = each.split(';')
    return { tag: tag.trim(), liking: Number(/q=([\d.]+)/.exec(quality)?.[1] ?? 1) }
  })
  return tags.toSorted((a, b) => b.liking - a.liking).map(({ tag }) => tag)
}

function wantsPage({ method, headers }: FastifyRequest, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return !isMachinePath(path) && (PAGE_PATHS.has(path) || (headers.accept ?? '').includes('text/html'))
}
