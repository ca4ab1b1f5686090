import { BRAND } from '@parley/contract'
import type { Mail } from './mail.ts'

interface Letter {
  readonly to: string
  readonly subject: string
  readonly name: string
  readonly paragraphs: readonly string[]
  readonly button?: { readonly label: string; readonly url: string }
  readonly closing?: readonly string[]
}

/** The layout of every mail: a greeting, paragraphs, at most one button, and the sender. */
export function writeLetter({ to, subject, name, paragraphs, button, closing = [] }: Letter): Mail {
  const [firstName = ''] = name.trim().split(/\s+/, 1)
  const greeting = firstName === '' ? 'Hello,' : `Hello ${firstName},`
  const text = [
    greeting,
    ...paragraphs,
    ...(button ? [`${button.label}: ${button.url}`] : []),
    ...closing,
    signature(),
  ].join('\n\n')
  const html = page(
    [greeting, ...paragraphs].map(paragraph).join('') +
      (button ? buttonHtml(button) : '') +
      closing.map(paragraph).join('') +
      paragraph(signature()),
  )
  return { to, subject, text: `${text}\n`, html }
}

function signature(): string {
  return `${BRAND.product}, by ${BRAND.parentCompany} · ${BRAND.supportEmail}`
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><body style="margin:0;padding:24px;background:#f4f7f5;font:16px/1.5 system-ui,sans-serif;color:#10231a">
<div style="max-width:32rem;margin:0 auto;padding:24px;background:#fff;border-radius:12px">
<p style="margin:0 0 16px;font-size:20px;font-weight:600;color:#2e7d32">${escape(BRAND.product)}</p>${body}</div></body></html>`
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px">${escape(text)}</p>`
}

/** The address is repeated below the button, for mail programs without buttons. */
function buttonHtml({ label, url }: { label: string; url: string }): string {
  const href = escape(url)
  const style =
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#2e7d32;color:#fff;text-decoration:none;font-weight:600'
  return `<p style="margin:0 0 16px"><a href="${href}" style="${style}">${escape(label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;overflow-wrap:anywhere"><a href="${href}" style="color:#2e7d32">${href}</a></p>`
}

/** Names are untrusted input. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
