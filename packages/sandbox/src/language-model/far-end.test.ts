import { virtualClock } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { startModelFarEnd } from './index.ts'
import { spoken, words } from './shapes.ts'

const BODIES = {
  openai: {
    path: '/chat/completions',
    body: { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] },
  },
  anthropic: {
    path: '/messages',
    body: {
      model: 'm',
      stream: true,
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    },
  },
  google: {
    path: '/models/m:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  },
} as const
type Wire = keyof typeof BODIES

async function post(far: Awaited<ReturnType<typeof startModelFarEnd>>, wire: Wire, more: RequestInit = {}) {
  const { path, body } = BODIES[wire]
  const headers = { authorization: `Bearer ${far.apiKey}` }
  return fetch(far.baseUrl[wire] + path, { method: 'POST', headers, body: JSON.stringify(body), ...more })
}

describe.each(['openai', 'anthropic', 'google'] as const)('the far end of language models (%s)', (wire) => {
  it('gives a case the request in the same form for every vendor', async () => {
    const far = await startModelFarEnd({ answer: () => spoken('Hello you.', ['wait', { seconds: 1 }]) })
    const answer = await post(far, wire)
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    const text = await answer.text()
    for (const part of ['Hello ', 'you.', 'wait', 'seconds']) expect(text).toContain(part)
    expect(far.exchanges[0]?.request).toMatchObject({ wire, model: 'm', messages: [{ role: 'user', text: 'Hi' }] })
    await far.close()
  })

  it('fails its test when no case fits', async () => {
    const far = await startModelFarEnd({ answer: () => undefined })
    expect((await post(far, wire)).status).toBe(501)
    await expect(far.close()).rejects.toThrow('No case fits request 0: Hi')
  })

  it('fails its test when a request is not what the vendor documents', async () => {
    const far = await startModelFarEnd({ answer: () => spoken('Hello.') })
    await post(far, wire, { body: '{"messages": [' })
    await expect(far.close()).rejects.toThrow(/JSON/)
  })

  it('refuses another key, and passes on Retry-After', async () => {
    const far = await startModelFarEnd({ answer: () => ({ status: 429, retryAfterSeconds: 3 }) })
    expect((await post(far, wire, { headers: { authorization: 'Bearer other' } })).status).toBe(401)
    const busy = await post(far, wire)
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '3'])
    await far.close()
  })

  it('waits by the clock of the test, and notes a client that leaves', async () => {
    const clock = virtualClock()
    const steps = [...words('Hello.'), { type: 'wait', ms: 60_000 } as const, ...words('Bye.')]
    const far = await startModelFarEnd({ answer: () => ({ steps }), clock })
    const abort = new AbortController()
    const answer = await post(far, wire, { signal: abort.signal })
    await answer.body?.getReader().read()
    await clock.advance(1000)
    expect(far.exchanges[0]).toMatchObject({ closedAtMs: null, abandoned: false })
    abort.abort()
    await expect.poll(() => far.exchanges[0]).toMatchObject({ closedAtMs: 1000, abandoned: true })
    await far.close()
  })
})
