import type { Passkey, User } from '@parley/contract'
import { confirmationsRoutes, securityRoutes } from '@parley/contract/page'
import { platform } from '../../lib/platform/index.ts'
import { request } from '../../lib/server/http.ts'

type CreationJson = Parameters<typeof PublicKeyCredential.parseCreationOptionsFromJSON>[0]
type RequestJson = Parameters<typeof PublicKeyCredential.parseRequestOptionsFromJSON>[0]
type Json = Record<string, unknown>

/** Whether this browser can create passkeys and serialize them. */
export function knowsPasskeys(): boolean {
  return (
    platform().offersPasskeys &&
    typeof PublicKeyCredential === 'function' &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential
  )
}

/** The user closed the device dialog, or it timed out: not an error. */
export function wasDismissed(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

export async function makePasskey(userId: string, name: string): Promise<Passkey> {
  const params = { id: userId }
  const options = await request(securityRoutes.passkeyOptions, { params })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asCreation(options))
  const response = answerOf(await navigator.credentials.create({ publicKey }))
  return request(securityRoutes.addPasskey, { params, body: { name, response } })
}

export async function signInWithPasskey(): Promise<User> {
  const { user } = await request(securityRoutes.passkeySignIn, { body: { response: await answerWithPasskey() } })
  return user
}

export async function provePasskey(): Promise<void> {
  await request(confirmationsRoutes.stepUp, { body: { passkey: await answerWithPasskey() } })
}

async function answerWithPasskey(): Promise<Json> {
  const options = await request(securityRoutes.passkeySignInOptions, {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asRequest(options))
  return answerOf(await navigator.credentials.get({ publicKey }))
}

function answerOf(credential: Credential | null): Json {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The device answered without a passkey')
  return { ...credential.toJSON() }
}

/** The server sends WebAuthn's JSON forms; the browser validates them while parsing. */
const asCreation = (options: Json) => options as unknown as CreationJson
const asRequest = (options: Json) => options as unknown as RequestJson
