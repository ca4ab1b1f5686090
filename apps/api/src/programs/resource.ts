import { BRAND, KEY_SCOPES, systemRoutes } from '@parley/contract'
import type { FastifyInstance } from 'fastify'

/** Where the MCP server is. */
export const MCP_PATH = '/mcp'
/** RFC 9728, section 3.1: in front of the path of the resource. */
const METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`
const KEPT_SECONDS = 3600

/**
 * Tells programs how the MCP server is entered (OAuth 2.0 Protected Resource Metadata, RFC 9728): with an API key as a
 * bearer token. It names no authorization server, since there is none: keys are made in Settings.
 */
export function addResourceMetadata(fastify: FastifyInstance, publicUrl: string): void {
  const metadata = {
    resource: publicUrl + MCP_PATH,
    resource_name: BRAND.product,
    resource_documentation: publicUrl + systemRoutes.docs.path,
    bearer_methods_supported: ['header'],
    scopes_supported: KEY_SCOPES,
  }
  fastify.get(METADATA_PATH, (_request, reply) =>
    reply.header('cache-control', `public, max-age=${KEPT_SECONDS}`).send(metadata),
  )
}

/** The WWW-Authenticate header of a refusal. Without any credential it names no error (RFC 6750, section 3.1). */
export function challengeOf(publicUrl: string, { isShown }: { readonly isShown: boolean }): string {
  const parts = [
    ...(isShown ? ['error="invalid_token"'] : []),
    `scope="${KEY_SCOPES.join(' ')}"`,
    `resource_metadata="${publicUrl}${METADATA_PATH}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}
