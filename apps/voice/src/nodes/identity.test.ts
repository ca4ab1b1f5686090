import { hostname } from 'node:os'
import { NodeJoin } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { identityOf } from './identity.ts'

const of = (environment: Record<string, string>) =>
  identityOf(readConfig({ VOICE_SECRET: 'a secret of some length', ...environment }), 3001)
const [PRIVATE_URL, PUBLIC_VOICE_URL] = ['http://10.0.0.5:3001', 'https://v1.example']

describe('identityOf', () => {
  it('makes name and addresses of host and port', () => {
    const own = 'http://127.0.0.1:3001'
    expect(of({})).toEqual({ nodeId: '127.0.0.1-3001', privateUrl: own, mediaUrl: own })
    expect(of({ HOST: '::1' })).toEqual({
      nodeId: '1-3001',
      privateUrl: 'http://[::1]:3001',
      mediaUrl: 'http://[::1]:3001',
    })
    expect(NodeJoin.shape.nodeId.safeParse(of({ HOST: '::1' }).nodeId).success).toBe(true)
  })

  it('prefers what is set', () => {
    expect(of({ NODE_ID: 'voice-1', PRIVATE_URL, PUBLIC_VOICE_URL, HOST: '0.0.0.0' })).toEqual({
      nodeId: 'voice-1',
      privateUrl: PRIVATE_URL,
      mediaUrl: PUBLIC_VOICE_URL,
    })
    expect(of({ PRIVATE_URL }).mediaUrl).toBe(PRIVATE_URL)
  })

  it('has no private address when it listens on every address and none is set', () => {
    expect(of({ HOST: '0.0.0.0' })).toMatchObject({ privateUrl: undefined })
    expect(of({ HOST: '0.0.0.0' }).nodeId).toContain(
      hostname()
        .replaceAll(/[^A-Za-z0-9._-]/g, '-')
        .slice(-50),
    )
  })
})
