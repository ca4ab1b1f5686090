import { randomBytes } from 'node:crypto'

interface Page {
  readonly html: string
  readonly policy: string
}

const STYLE = `:root{color-scheme:light}body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:24px;background:#fff;color:#10231a}
main{max-width:24rem;margin:0 auto}h1{font-size:20px;margin:0 0 8px}p{margin:0 0 16px}form{display:flex;gap:12px;flex-wrap:wrap}
button{font:inherit;font-weight:600;padding:10px 18px;border-radius:8px;border:1px solid #2e7d32;background:#fff;color:#2e7d32;cursor:pointer;min-height:44px}
button[value=accept]{background:#2e7d32;color:#fff}button:focus-visible{outline:3px solid #81c784;outline-offset:2px}`

/** The bank's page: a question with two answers. */
export function askPage(url: string, what: string, frameAncestors: readonly string[]): Page {
  const body = `<h1>3D Secure</h1><p>Your bank wants to know that it is you who ${escape(what)}. This is a test page of the payments sandbox.</p>
<form method="post" action="${escape(url)}"><button name="answer" value="accept">Complete authentication</button>
<button name="answer" value="refuse">Fail authentication</button></form>`
  return { html: page(body), policy: policyOf(frameAncestors) }
}

/** Returns to the shop: messages the page around the frame, or redirects to the return URL. */
export function donePage(
  intent: string,
  status: string,
  returnTo: string | null,
  frameAncestors: readonly string[],
): Page {
  const nonce = randomBytes(16).toString('base64')
  const message = JSON.stringify({ source: 'payments-sandbox', type: '3ds-complete', intent, status })
  const script = `if (parent !== window) parent.postMessage(${scriptSafe(message)}, '*');
else if (${scriptSafe(JSON.stringify(returnTo))} !== null) location.replace(${scriptSafe(JSON.stringify(returnTo ?? ''))});`
  const link = returnTo === null ? '' : `<p><a href="${escape(returnTo)}">Go on</a></p>`
  const body = `<h1>3D Secure</h1><p role="status">Thank you. You can go on.</p>${link}<script nonce="${nonce}">${script}</script>`
  return { html: page(body), policy: policyOf(frameAncestors, nonce) }
}

function policyOf(frameAncestors: readonly string[], nonce?: string): string {
  const script = nonce === undefined ? '' : `script-src 'nonce-${nonce}'; `
  return `default-src 'none'; ${script}style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors ${frameAncestors.join(' ') || "'none'"}`
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>3D Secure</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`
}

function scriptSafe(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`)
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
