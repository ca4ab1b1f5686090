import { accountsRoutes, shellsRoutes, VERIFICATION_ERRORS, type VerificationError } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import { isOwnVisit, type Router } from '../platform/http.ts'
import { enterWithApple, finishApple } from './identities/apple.ts'
import { copyCookies } from './sign-in/auth.ts'
import { addConfirmations } from './second-factor/confirmation-routes.ts'
import { closeAccount } from './data/erasure.ts'
import { beginGoogle, finishGoogle } from './identities/google.ts'
import { takeNativeCode } from './sign-in/native.ts'
import { changeSettings, changeUser, readUser, settingsOf } from './profile.ts'
import type { SignInMethod } from './identities/providers.ts'
import { forgotPassword, register, resendVerification, resetPassword, verifyEmail } from './sign-in/registration.ts'
import type { AccountsRoom, Admitting } from './room.ts'
import { readSecondFactor } from './second-factor/second-factor.ts'
import { dropSeal, readSeal, seal } from './second-factor/sealed.ts'
import { addSecurity } from './second-factor/security-routes.ts'
import { createTicket } from './shells/tickets.ts'
import { hasShellOrigin, renewToken, tokenIn } from './shells/tokens.ts'
import { checkCredentials, logout, refreshSession, startSession } from './sign-in/sign-in.ts'

export function registerAccounts(router: Router, { room }: { readonly room: AccountsRoom }): void {
  addSignUp(router, room)
  addSignIn(router, room)
  addProfile(router, room)
  addSecurity(router, room)
  addConfirmations(router, room)
  router.route(shellsRoutes.createTicket, ({ actor, body }) => createTicket(room.db, actor, body.path))
}

function addSignUp({ route }: Router, room: AccountsRoom): void {
  route(accountsRoutes.register, async ({ body, request }) => {
    await register(room, { ...body, fullName: body.fullName ?? body.name ?? '' }, request)
    return { message: 'Please check your email to verify your account.' }
  })
  route(accountsRoutes.resendVerification, async ({ body, request }) => {
    await resendVerification(room, body.email, request)
    return { message: 'If this address waits for verification, a new link is on its way. Please check your email.' }
  })
  route(accountsRoutes.verifyEmail, async ({ query, request, reply }) => {
    if (isNavigation(request)) return reply.redirect(await verifyByNavigation(room, query.token, request, reply))
    const email = await verifyHere(room, query.token, request, reply)
    return { message: 'Your email has been verified. You can log in now.', verified: true as const, email }
  })
  route(accountsRoutes.forgotPassword, async ({ body, request }) => {
    await forgotPassword(room, body.email, request)
    return {
      message:
        'If an account has this address, a link to choose a new password is on its way. Please check your email.',
    }
  })
  route(accountsRoutes.resetPassword, async ({ body, request, reply }) => {
    const userId = await resetPassword(room, body, request)
    const message = 'Your password has been changed.'
    if ((await readSecondFactor(room.db, userId)).enabled) return { message }
    await startSession(room, request, reply, { userId, method: 'New password' })
    return { message, user: await readUser(room, userId) }
  })
}

function addSignIn({ route }: Router, room: AccountsRoom): void {
  const enter = async (
    request: FastifyRequest,
    reply: FastifyReply,
    signIn: { userId: string; method: SignInMethod },
  ) => {
    await startSession(room, request, reply, signIn)
    return { message: 'You are logged in.', user: await readUser(room, signIn.userId) }
  }
  route(accountsRoutes.login, async ({ body, request, reply }) => {
    const { config } = room
    const proven = await readSeal(config, request, 'verified')
    const userId = await checkCredentials(room, request, { ...body, provenHere: proven?.['userId'] })
    if (proven) dropSeal(config, reply, 'verified')
    return enter(request, reply, { userId, method: 'Password' })
  })
  route(accountsRoutes.logout, async ({ request, reply }) => leave(room, request, reply))
  route(accountsRoutes.loginPage, ({ reply }) => reply.redirect('/login'))
  route(accountsRoutes.google, async ({ query, request, reply }) =>
    reply.redirect(await beginGoogle(room, request, reply, query)),
  )
  route(accountsRoutes.googleCallback, async ({ request, reply }) =>
    reply.redirect(await finishGoogle(room, request, reply)),
  )
  route(accountsRoutes.apple, async ({ body, request, reply }) => {
    const userId = await enterWithApple(room, body, request)
    return enter(request, reply, { userId, method: 'Apple' })
  })
  // Apple's form is a POST; 303 makes the browser continue with GET.
  route(accountsRoutes.appleCallback, async ({ body, request, reply }) =>
    reply.redirect(await finishApple(room, body, request), 303),
  )
  route(accountsRoutes.nativeSignIn, async ({ body, request, reply }) =>
    enter(request, reply, await takeNativeCode(room.db, body)),
  )
}

function addProfile({ route }: Router, room: AccountsRoom): void {
  route(accountsRoutes.currentUser, async ({ actor, request, reply }) => {
    if (tokenIn(request) === undefined) copyCookies(await refreshSession(room, request), reply)
    else await renewToken(room.db, actor, reply)
    return readUser(room, actor.userId)
  })
  route(accountsRoutes.getUser, ({ actor }) => readUser(room, actor.userId))
  route(accountsRoutes.changeUser, ({ actor, body, request }) => changeUser(room, actor, body, request))
  route(accountsRoutes.getSettings, ({ actor }) => settingsOf(room.db, actor.userId))
  route(accountsRoutes.changeSettings, ({ actor, body }) => changeSettings(room, actor.userId, body))
  route(accountsRoutes.deleteUser, async ({ actor, request, reply }) => {
    await closeAccount(room, actor.userId)
    copyCookies(await logout(room, request), reply)
    return { message: 'Your account was deleted.' }
  })
}

async function leave(
  room: Pick<AccountsRoom, 'auth' | 'bus' | 'config' | 'db'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (isOwnVisit(request, room.config.allowedOrigins)) copyCookies(await logout(room, request), reply)
  // A link from another site leads to the start page; its visitor stays signed in.
  else if (!isNavigation(request)) throw new AppError('foreign_origin', 'This request came from another site.')
  if (hasShellOrigin(request, room.config)) return reply.code(204).send()
  return reply.redirect('/')
}

/** A page navigation, as opposed to a request of the page's script. */
function isNavigation({ headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode']
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate'
}

/** Verifies an address without signing in. For a while, this browser needs only the password to sign in. */
async function verifyHere(
  room: Admitting,
  token: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { email, userId } = await verifyEmail(room, token, request)
  if (userId !== undefined) await seal(room.config, reply, 'verified', { userId })
  return email
}

async function verifyByNavigation(
  room: Admitting,
  token: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  try {
    await verifyHere(room, token, request, reply)
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
