import { accountsRoutes, VERIFICATION_ERRORS, type VerificationError } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import type { Router } from '../platform/http.ts'
import { copyCookies } from './auth.ts'
import { changeSettings, changeUser, readUser, settingsOf } from './profile.ts'
import { forgotPassword, register, resendVerification, resetPassword, verifyEmail } from './registration.ts'
import type { AccountsRoom } from './room.ts'
import { login, logout, refreshSession } from './sign-in.ts'

export function registerAccounts(router: Router, { room }: { readonly room: AccountsRoom }): void {
  addSignUp(router, room)
  addSignIn(router, room)
  addProfile(router, room)
}

function addSignUp({ route }: Router, room: AccountsRoom): void {
  route(accountsRoutes.register, async ({ body }) => {
    await register(room, { ...body, fullName: body.fullName ?? body.name ?? '' })
    return { message: 'Please check your email to verify your account.' }
  })
  route(accountsRoutes.resendVerification, async ({ body }) => {
    await resendVerification(room, body.email)
    return { message: 'If this address waits for verification, a new link is on its way. Please check your email.' }
  })
  route(accountsRoutes.verifyEmail, async ({ query, request, reply }) => {
    if (isNavigation(request)) return reply.redirect(await verifyByNavigation(room, query.token, request))
    await verifyEmail(room, query.token)
    return { message: 'Your email has been verified. You can log in now.', verified: true as const }
  })
  route(accountsRoutes.forgotPassword, async ({ body }) => {
    await forgotPassword(room, body.email)
    return { message: 'If an account has this address, a link to choose a new password is on its way. Please check your email.' }
  })
  route(accountsRoutes.resetPassword, async ({ body, request, reply }) => {
    const email = await resetPassword(room, body.token, body.newPassword)
    const { userId, headers } = await login(room, request, email, body.newPassword)
    copyCookies(headers, reply)
    return { message: 'Your password has been changed.', user: await readUser(room, userId) }
  })
}

function addSignIn({ route }: Router, room: AccountsRoom): void {
  route(accountsRoutes.login, async ({ body, request, reply }) => {
    const { userId, headers } = await login(room, request, body.email, body.password)
    copyCookies(headers, reply)
    return { message: 'You are logged in.', user: await readUser(room, userId) }
  })
  route(accountsRoutes.logout, async ({ request, reply }) => leave(room, request, reply))
  route(accountsRoutes.loginPage, ({ reply }) => reply.redirect('/login'))
  route(accountsRoutes.google, ({ reply }) => reply.redirect('/?auth=error&message=oauth_temporarily_unavailable'))
  route(accountsRoutes.apple, () => {
    throw new AppError('switched_off', 'Signing in with Apple is not available here.')
  })
}

function addProfile({ route }: Router, room: AccountsRoom): void {
  route(accountsRoutes.currentUser, async ({ actor, request, reply }) => {
    copyCookies(await refreshSession(room, request), reply)
    return readUser(room, actor.userId)
  })
  route(accountsRoutes.getUser, ({ actor }) => readUser(room, actor.userId))
  route(accountsRoutes.changeUser, ({ actor, body }) => changeUser(room, actor.userId, body))
  route(accountsRoutes.getSettings, ({ actor }) => settingsOf(room.floor.db, actor.userId))
  route(accountsRoutes.changeSettings, ({ actor, body }) => changeSettings(room, actor.userId, body))
}

async function leave(room: AccountsRoom, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  copyCookies(await logout(room, request), reply)
  return reply.redirect('/')
}

/** A person who opens the address in the browser, rather than the page's own script. */
function isNavigation({ headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode']
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate'
}

async function verifyByNavigation(room: AccountsRoom, token: string | undefined, request: FastifyRequest): Promise<string> {
  try {
    await verifyEmail(room, token)
    return '/login?verified=true'
  } catch (error) {
    return `/login?verified=false&error=${verificationError(error, request)}`
  }
}

function verificationError(error: unknown, request: FastifyRequest): VerificationError {
  const code = VERIFICATION_ERRORS.find((each) => error instanceof AppError && error.code === each)
  if (!code) request.log.error({ err: error }, 'verification failed')
  return code ?? 'server_error'
}
