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
/** The pages that show the card provider's form; they are entered by a full page load. */
const CARD_PAGES: ReadonlySet<string> = new Set([
  '/billing',
  '/credits/purchase',
  '/billing/card-payment',
  '/new-payment',
])
/** More than any browser sends. */
const TAGS_MAX = 20
const YEAR_SECONDS = 365 * 24 * 3600

/**
 * The built web app: its files, landing.html (landing.es.html) for a visitor at the start page,
 * frames/dashboard.en.html and the like for whoever may be signed in, and index.html for every other page of the
 * product. Any other path is the 404 page, as a 404.
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
      // The build has compressed every text beside itself.
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        // The build puts the hash of a file's content into the names of what is in assets/.
        const hashed = path.includes('/assets/')
        reply.header('cache-control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
      },
    })
  }
  const policies = { plain: contentSecurityPolicy(publicUrl), cards: contentSecurityPolicy(publicUrl, { cards }) }
  const linkHeader = webDir === undefined ? undefined : await readLinkHeader(webDir)
  const frames = new Set(webDir === undefined ? [] : await readdir(join(webDir, 'frames')).catch(() => []))
  /** Which file a page is, among those that the build has made for it. */
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

/**
 * The landing page stands in a file of its own. A sign-in that failed elsewhere is explained by the app, from its first
 * paint.
 */
function isForVisitor({ cookies, query }: FastifyRequest, path: string): boolean {
  const explains = typeof query === 'object' && query !== null && 'auth' in query
  return path === '/' && !explains && !(SESSION_COOKIE in cookies)
}

/** The language that was chosen before, else the one that the browser likes best. */
function languageOf({ cookies, headers }: FastifyRequest): Language {
  return spokenLanguage([cookies[LANGUAGE_COOKIE], ...languagesIn(headers['accept-language'] ?? '')])
}

function landingIn(language: Language): string {
  return language === LANGUAGE_DEFAULT ? 'landing.html' : `landing.${language}.html`
}

/** The tags of an Accept-Language header, the best liked first. */
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
