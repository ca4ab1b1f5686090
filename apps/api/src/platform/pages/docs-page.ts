import { BRAND } from '@parley/contract'
import { z } from 'zod'

const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean().default(false) })),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: z.unknown().optional() })),
  security: z.array(z.record(z.string(), z.unknown())),
})
const Document = z.object({
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

/** Inline in the page. */
export const DOCS_STYLE = `
:root{color-scheme:light dark;--paper:#fbfcfa;--ink:#10231a;--muted:#52635a;--line:#dde5df;--brand:#2e7d32}
@media(prefers-color-scheme:dark){:root{--paper:#0e1512;--ink:#e6efe9;--muted:#9fb2a7;--line:#2a3a32;--brand:#81c784}}
body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:0 auto;padding:24px 16px;background:var(--paper);color:var(--ink)}
a{color:var(--brand)}h1{font-size:28px}h2{font-size:20px;margin-top:40px;text-transform:capitalize}
details{border-top:1px solid var(--line);padding:12px 0}summary{cursor:pointer}code,pre{font:14px/1.5 ui-monospace,monospace}
pre{overflow-x:auto;padding:12px;border:1px solid var(--line);border-radius:12px}.method{display:inline-block;min-width:4.5em;color:var(--brand);font-weight:600}
.note{color:var(--muted)}`

/** The OpenAPI document as one page without scripts. */
export function docsPage(document: unknown): string {
  const { info, paths, components } = Document.parse(document)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const rooms = [...new Set(operations.flatMap(({ operation }) => operation.tags))]
  const body = rooms.map((room) => {
    const rows = operations.filter(({ operation }) => operation.tags.includes(room))
    return `<h2 id="${escape(room)}">${escape(room)}</h2>${rows.map(operationHtml).join('')}`
  })
  const shapes = Object.entries(components.schemas).map(([name, schema]) => shapeHtml(name, schema))
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escape(info.title)}</title><style>${DOCS_STYLE}</style></head><body><main><h1>${escape(info.title)}</h1>
<p>Version ${escape(info.version)}. <a href="/api/openapi.json">OpenAPI 3.1 document</a>. Programs send an API key from Settings:
<code>Authorization: Bearer …</code>. Questions: <a href="mailto:${BRAND.supportEmail}">${BRAND.supportEmail}</a></p>
<nav aria-label="Rooms">${rooms.map((room) => `<a href="#${escape(room)}">${escape(room)}</a>`).join(' · ')} · <a href="#shapes">shapes</a></nav>
${body.join('')}<h2 id="shapes">Shapes</h2>${shapes.join('')}</main></body></html>`
}

function operationHtml({
  path,
  method,
  operation,
}: {
  path: string
  method: string
  operation: z.infer<typeof Operation>
}): string {
  const { summary, parameters, responses, requestBody, security } = operation
  const names = parameters.map(
    (each) => `<li><code>${escape(each.name)}</code> (${escape(each.in)}${each.required ? ', required' : ''})</li>`,
  )
  const answers = Object.entries(responses).map(
    ([status, answer]) =>
      `<li><code>${escape(status)}</code> ${escape(answer.description)}${contentHtml(answer.content)}</li>`,
  )
  const who =
    security.length === 0 ? 'Anyone' : security.some((each) => 'key' in each) ? 'Signed in, or an API key' : 'Signed in'
  return `<details><summary><span class="method">${method.toUpperCase()}</span> <code>${escape(path)}</code> <span class="note">${escape(summary)}</span></summary>
<p>${who}.</p>${names.length > 0 ? `<ul>${names.join('')}</ul>` : ''}${requestBody === undefined ? '' : `<p>Body:</p>${contentHtml(Reflect.get(Object(requestBody), 'content'))}`}<p>Answers:</p><ul>${answers.join('')}</ul></details>`
}

function contentHtml(content: unknown): string {
  const media: unknown = Reflect.get(Object(content), 'application/json')
  const schema: unknown = Reflect.get(Object(media), 'schema')
  if (typeof schema !== 'object' || schema === null) return ''
  const text = JSON.stringify(schema, null, 2)
  const linked = escape(text).replaceAll(/#\/components\/schemas\/(\w+)/g, '<a href="#shape-$1">$1</a>')
  return text.length < 90 ? ` <code>${linked}</code>` : `<pre>${linked}</pre>`
}

function shapeHtml(name: string, schema: unknown): string {
  const text = escape(JSON.stringify(schema, null, 2)).replaceAll(
    /#\/components\/schemas\/(\w+)/g,
    '<a href="#shape-$1">$1</a>',
  )
  return `<details id="shape-${escape(name)}"><summary><code>${escape(name)}</code></summary><pre>${text}</pre></details>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
