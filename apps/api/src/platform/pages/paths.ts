import type { FastifyRequest } from 'fastify'

/**
 * The contract's path of the route that serves a request, or the normalised URL path if none does (decoded once,
 * without double or trailing slashes). Limits, headers and pages use it, never the raw URL.
 */
export function placeOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  return url?.startsWith('/') ? url : plainPath(request.url)
}

/** The normalised path of a URL. */
export function plainPath(url: string): string {
  const path = decoded(url.split('?', 1)[0] ?? url).replaceAll(/\/{2,}/g, '/')
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** Paths that never serve a page or cacheable content. */
export function isMachinePath(path: string): boolean {
  return /^\/(?:api|internal|ws|health|livez|readyz|dev|mcp)(?:\/|$)/i.test(path)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
