import { BRAND, DATA_EXPORT_DAYS } from '@parley/contract'
import type { Mail } from '../platform/mail.ts'

interface Letter {
  readonly to: string
  readonly subject: string
  readonly name: string
  readonly paragraphs: readonly string[]
  readonly button?: { readonly label: string; readonly url: string }
  readonly closing?: readonly string[]
}

export function verifyAddress(publicUrl: string, token: string, to: string, name: string): Mail {
  return write({
    to,
    name,
    subject: `Verify your email address for ${BRAND.product}`,
    paragraphs: [`Please confirm that ${to} is your address. You can then log in.`],
    button: { label: 'Verify my email', url: `${publicUrl}/verify-email?token=${token}` },
    closing: ['The link works once, for 24 hours.', `If you did not ask for a ${BRAND.product} account, do nothing: none will be made.`],
  })
}

export function verifyNewAddress(publicUrl: string, token: string, to: string, name: string): Mail {
  return write({
    to,
    name,
    subject: `Verify your new email address for ${BRAND.product}`,
    paragraphs: [`Please confirm that your account shall belong to ${to}. Until then your present address stays.`],
    button: { label: 'Verify my new email', url: `${publicUrl}/verify-email?token=${token}` },
    closing: ['The link works once, for 24 hours.', `If you did not ask for this, do nothing: nothing changes.`],
  })
}

export function choosePassword(publicUrl: string, token: string, to: string, name: string): Mail {
  return write({
    to,
    name,
    subject: `Choose a new password for ${BRAND.product}`,
    paragraphs: [`Somebody, hopefully you, asked for a link to choose a new password for ${to}.`],
    button: { label: 'Choose a new password', url: `${publicUrl}/reset-password?token=${token}` },
    closing: [
      'The link works once, for an hour. Choosing a new password logs you out everywhere else.',
      'If it was not you, do nothing: nothing changes.',
    ],
  })
}

export function accountExists(publicUrl: string, to: string): Mail {
  return write({
    to,
    name: '',
    subject: `You already have a ${BRAND.product} account`,
    paragraphs: [
      `Somebody, hopefully you, just tried to sign up with ${to}. This address has an account already, and nothing about it was changed.`,
    ],
    button: { label: 'Log in', url: `${publicUrl}/login` },
    closing: ['If you do not remember your password, choose "Forgot your password?" there.'],
  })
}

export function passwordChanged(publicUrl: string, to: string, name: string): Mail {
  return write({
    to,
    name,
    subject: `Your ${BRAND.product} password was changed`,
    paragraphs: ['Your password was just changed, and every session was ended.'],
    button: { label: 'Log in', url: `${publicUrl}/login` },
    closing: [`If it was not you, choose "Forgot your password?" on the login page at once, or write to ${BRAND.supportEmail}.`],
  })
}

export function emailChanged(to: string, name: string, newEmail: string): Mail {
  return write({
    to,
    name,
    subject: `Your ${BRAND.product} email address was changed`,
    paragraphs: [`Your account now belongs to ${newEmail}. You log in with that address from now on.`],
    closing: [`If it was not you, write to ${BRAND.supportEmail} at once.`],
  })
}

export function identityLinked(publicUrl: string, to: string, name: string, provider: string): Mail {
  return write({
    to,
    name,
    subject: `You can now log in to ${BRAND.product} with ${provider}`,
    paragraphs: [
      `Somebody, hopefully you, signed in with a ${provider} account that has your email address. Both ways of logging in open your account.`,
    ],
    button: { label: 'See recent security activity', url: `${publicUrl}/settings` },
    closing: [`If it was not you, write to ${BRAND.supportEmail} at once.`],
  })
}

export function exportReady(publicUrl: string, to: string, name: string): Mail {
  return write({
    to,
    name,
    subject: `Your ${BRAND.product} data is ready`,
    paragraphs: ['The copy of your data that you asked for is ready to download in Settings.'],
    button: { label: 'Go to the download', url: `${publicUrl}/settings` },
    closing: [`It stays there for ${DATA_EXPORT_DAYS} days.`],
  })
}

export function accountDeleted(to: string, name: string): Mail {
  return write({
    to,
    name,
    subject: `Your ${BRAND.product} account was deleted`,
    paragraphs: ['Your account was deleted as you asked. Its calls, transcripts, recordings, contacts and keys are gone.'],
    closing: [`If it was not you, write to ${BRAND.supportEmail} at once.`],
  })
}

interface Inquiry {
  readonly companyName: string
  readonly contactName: string
  readonly email: string
  readonly phone: string | null
  readonly requirements: string | null
}

export function inquiryForOperator(to: string, { companyName, contactName, email, phone, requirements }: Inquiry): Mail {
  return write({
    to,
    name: '',
    subject: `Enterprise inquiry from ${companyName.replaceAll(/\s+/g, ' ')}`,
    paragraphs: [
      `Company: ${companyName}`,
      `Contact: ${contactName}`,
      `Email: ${email}`,
      `Phone: ${phone ?? 'not given'}`,
      `Requirements: ${requirements ?? 'not given'}`,
    ],
    closing: ['An answer within 24 hours was promised.'],
  })
}

export function inquiryReceived(to: string): Mail {
  return write({
    to,
    name: '',
    subject: `We have received your inquiry about ${BRAND.product}`,
    paragraphs: ['Thank you for your inquiry. We will answer within 24 hours.'],
    closing: ['If you did not write to us, somebody else used your address, and you can forget this mail.'],
  })
}

function write({ to, subject, name, paragraphs, button, closing = [] }: Letter): Mail {
  const [firstName = ''] = name.trim().split(/\s+/, 1)
  const greeting = firstName === '' ? 'Hello,' : `Hello ${firstName},`
  const text = [greeting, ...paragraphs, ...(button ? [`${button.label}: ${button.url}`] : []), ...closing, signature()].join('\n\n')
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

/** The address stands below the button as well, for programs that show no buttons. */
function buttonHtml({ label, url }: { label: string; url: string }): string {
  const href = escape(url)
  const style =
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#2e7d32;color:#fff;text-decoration:none;font-weight:600'
  return `<p style="margin:0 0 16px"><a href="${href}" style="${style}">${escape(label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;overflow-wrap:anywhere"><a href="${href}" style="color:#2e7d32">${href}</a></p>`
}

/** Names come from whoever registers. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
