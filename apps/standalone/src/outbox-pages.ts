import type { OutboxMail } from '@parley/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** /dev/outbox and /dev/outbox.json: the stored mails, for requests from this machine only. */
export function addOutboxPages(fastify: FastifyInstance, list: () => Promise<OutboxMail[]>): void {
  fastify.get('/dev/outbox.json', async (request, reply) => (isLocal(request) ? list() : reply.callNotFound()))
  fastify.get('/dev/outbox', async (request, reply) => {
    if (!isLocal(request)) return reply.callNotFound()
    const csp = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'"
    return reply
      .type('text/html')
      .header('content-security-policy', csp)
      .send(page(await list()))
  })
}

/** Checks the socket's peer, not forwarded headers; a foreign Host is a DNS rebinding attack. */
function isLocal(request: FastifyRequest): boolean {
  const host = request.host.replace(/:\d+$/, '')
  return LOOPBACK.has(request.socket.remoteAddress ?? '') && ['localhost', '127.0.0.1', '[::1]'].includes(host)
}

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:0 auto;padding:24px 16px}
article{border:1px solid #8885;border-radius:12px;padding:16px;margin:16px 0}h1{font-size:28px}h2{font-size:16px;margin:0}
p{margin:4px 0;opacity:.8}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.5 ui-monospace,monospace}`

function page(mails: readonly OutboxMail[]): string {
  const articles = mails.map(
    ({ to, subject, text, sentAt }) =>
      `<article><h2>${escape(subject)}</h2><p>To ${escape(to)} · <time>${escape(sentAt)}</time></p><pre>${linked(escape(text))}</pre></article>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Outbox</title><style>${STYLE}</style></head><body><main><h1>Outbox</h1>
<p>Mails that would have been sent. Set SMTP_URL to send them.</p>
${articles.join('') || '<p>No mail yet.</p>'}</main></body></html>`
}

function linked(text: string): string {
  return text.replaceAll(/https?:\/\/[^\s<"]+/g, (url) => `<a href="${url}">${url}</a>`)
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
