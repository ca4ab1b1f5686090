import type { FastifyRequest } from 'fastify'

/**
 * Where a request goes: the route that serves it, as the contract writes it, however its address was written. Where no
 * route does, the path as it is meant: decoded once, without doubled slashes or one at its end. Limits, headers and
 * pages go by this, never by the URL.
 */
export function placeOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  return url?.startsWith('/') ? url : plainPath(request.url)
}

/** The path of the page that was asked for. */
export function plainPath(url: string): string {
  const path = decoded(url.split('?', 1)[0] ?? url).replaceAll(/\/{2,}/g, '/')
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** Paths that never answer with a page, nor with anything to keep. */
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
