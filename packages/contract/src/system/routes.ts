import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { Health, Liveness, Preflight, Readiness } from './shapes.ts'
import { systemPaths } from '../paths.ts'

const room = 'system'

export const systemRoutes = {
  health: defineRoute({
    ...systemPaths.health,
    room,
    access: 'public',
    summary: 'Whether work can be taken, and what each part is',
    reply: Health,
    errors: ['unavailable'],
  }),
  livez: defineRoute({
    ...systemPaths.livez,
    room,
    access: 'public',
    summary: 'Whether this process serves requests',
    reply: Liveness,
  }),
  readyz: defineRoute({
    ...systemPaths.readyz,
    room,
    access: 'public',
    summary: 'Whether requests can be sent to this process: it has its database, and is not stopping',
    reply: Readiness,
    errors: ['unavailable'],
  }),
  preflight: defineRoute({
    ...systemPaths.preflight,
    room,
    access: 'account',
    summary: 'Whether calls can be placed now: asked before somebody fills in a form',
    reply: Preflight,
  }),
  openapi: defineRoute({
    ...systemPaths.openapi,
    room,
    access: 'public',
    summary: 'This document',
    reply: z.record(z.string(), z.unknown()),
  }),
  docs: defineRoute({
    ...systemPaths.docs,
    room,
    access: 'public',
    summary: 'The documentation page made from it',
  }),
} as const
