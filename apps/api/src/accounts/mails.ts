import { BRAND, DATA_EXPORT_DAYS, EMAIL_CODE_MINUTES } from '@parley/contract'
import { writeLetter } from '../platform/letter.ts'
import type { Mail } from '../platform/mail.ts'
import type { EmailCodeUse } from './schema.ts'

export function verifyAddress(publicUrl: string, token: string, to: string, name: string): Mail {
  return writeLetter({
    to,
    name,
    subject: `Verify your email address for ${BRAND.product}`,
    paragraphs: [`Please confirm that ${to} is your address. You can then log in.`],
    button: { label: 'Verify my email', url: `${publicUrl}/verify-email?token=${token}` },
    closing: [
      'The link works once, for 24 hours.',
      `If you did not ask for a ${BRAND.product} account, do nothing: none will be made.`,
    ],
  })
}

export function verifyNewAddress(publicUrl: string, token: string, to: string, name: string): Mail {
  return writeLetter({
    to,
    name,
    subject: `Verify your new email address for ${BRAND.product}`,
    paragraphs: [`Please confirm that your account shall belong to ${to}. Until then your present address stays.`],
    button: { label: 'Verify my new email', url: `${publicUrl}/verify-email?token=${token}` },
    closing: ['The link works once, for 24 hours.', `If you did not ask for this, do nothing: nothing changes.`],
  })
}

export function choosePassword(publicUrl: string, token: string, to: string, name: string): Mail {
  return writeLetter({
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
  return writeLetter({
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

/** `kept`: names of the keys and passkeys that stay valid. */
export function passwordChanged(
  publicUrl: string,
  { to, name, kept }: { to: string; name: string; kept: readonly string[] },
): Mail {
  const goOn =
    kept.length === 0
      ? 'You have no API keys or passkeys.'
      : `These API keys and passkeys go on working: ${kept.join(', ')}. Take away in Settings what you do not know.`
  return writeLetter({
    to,
    name,
    subject: `Your ${BRAND.product} password was changed`,
    paragraphs: [
      'Your password was just changed. Every session was ended, and every change that was not confirmed yet.',
      goOn,
    ],
    button: { label: 'Log in', url: `${publicUrl}/login` },
    closing: [
      `If it was not you, choose "Forgot your password?" on the login page at once, or write to ${BRAND.supportEmail}.`,
    ],
  })
}

export function emailChanged(to: string, name: string, newEmail: string): Mail {
  return writeLetter({
    to,
    name,
    subject: `Your ${BRAND.product} email address was changed`,
    paragraphs: [`Your account now belongs to ${newEmail}. You log in with that address from now on.`],
    closing: [`If it was not you, write to ${BRAND.supportEmail} at once.`],
  })
}

interface AskedChange {
  readonly token: string
  readonly to: string
  readonly name: string
  readonly newEmail: string
}

export function emailChangeAsked(publicUrl: string, { token, to, name, newEmail }: AskedChange): Mail {
  return writeLetter({
    to,
    name,
    subject: `A new email address for your ${BRAND.product} account was asked for`,
    paragraphs: [
      `Somebody, hopefully you, asked to move your account to ${newEmail}. It moves when the link that we mailed there is opened.`,
      'If it was not you, stop it now: somebody else is in your account.',
    ],
    button: { label: 'Stop this change', url: `${publicUrl}/verify-email?stop=${token}` },
    closing: ['If it was you, there is nothing to do here.'],
  })
}

interface CodeToType {
  readonly use: EmailCodeUse
  readonly to: string
  readonly name: string
  readonly code: string
}

export function codeToType({ use, to, name, code }: CodeToType): Mail {
  const why =
    use === 'login'
      ? 'Somebody, hopefully you, is logging in for the first time with the password that your account was registered with.'
      : 'Somebody, hopefully you, wants to change something in your account that asks for a confirmation.'
  return writeLetter({
    to,
    name,
    subject: `Your ${BRAND.product} code is ${code}`,
    paragraphs: [why, `Your code: ${code}`],
    closing: [
      `The code works once, for ${EMAIL_CODE_MINUTES} minutes. Give it to nobody: we never ask for it.`,
      'If it was not you, choose "Forgot your password?" on the login page: nobody else gets in after that.',
    ],
  })
}

export function identityLinked(publicUrl: string, to: string, name: string, provider: string): Mail {
  return writeLetter({
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
  return writeLetter({
    to,
    name,
    subject: `Your ${BRAND.product} data is ready`,
    paragraphs: ['The copy of your data that you asked for is ready to download in Settings.'],
    button: { label: 'Go to the download', url: `${publicUrl}/settings` },
    closing: [`It stays there for ${DATA_EXPORT_DAYS} days.`],
  })
}

export function accountDeleted(to: string, name: string): Mail {
  return writeLetter({
    to,
    name,
    subject: `Your ${BRAND.product} account was deleted`,
    paragraphs: [
      'Your account was deleted as you asked. Its calls, transcripts, recordings, contacts and keys are gone.',
    ],
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

export function inquiryForOperator(
  to: string,
  { companyName, contactName, email, phone, requirements }: Inquiry,
): Mail {
  return writeLetter({
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
  return writeLetter({
    to,
    name: '',
    subject: `We have received your inquiry about ${BRAND.product}`,
    paragraphs: ['Thank you for your inquiry. We will answer within 24 hours.'],
    closing: ['If you did not write to us, somebody else used your address, and you can forget this mail.'],
  })
}
