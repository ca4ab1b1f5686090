import type {
  ApiKey,
  CallerNumber,
  CallerVerification,
  DataExport,
  Passkey,
  SecurityEvent,
  Session,
  StepUp,
  WebhookDelivery,
} from '@parley/contract'
import { accountsRoutes, confirmationsRoutes, noticesRoutes, type Route, SETTINGS_DEFAULTS } from '@parley/contract'
import { expect, vi } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { ADA, type FakeApi, serve } from '../testing.tsx'

const LONG_AGO = '2026-11-01T10:00:00.000Z'
const LATER = '2026-11-20T10:00:00.000Z'
export const HOOK = 'https://hooks.example.org/parley'

export const aKey = (change: Partial<ApiKey> = {}): ApiKey => ({
  id: 'key-1',
  name: 'API key',
  masked: 'parley_Ab12…9xYz',
  scopes: ['read'],
  createdAt: LONG_AGO,
  lastUsedAt: null,
  ...change,
})

export const aSession = (change: Partial<Session> = {}): Session => ({
  id: 'session-1',
  current: false,
  device: 'Firefox on Linux',
  ipAddress: '192.0.2.7',
  createdAt: LONG_AGO,
  lastUsedAt: LATER,
  expiresAt: '2027-01-01T10:00:00.000Z',
  ...change,
})

export const anEvent = (change: Partial<SecurityEvent> = {}): SecurityEvent => ({
  id: 'event-1',
  kind: 'signed_in',
  detail: null,
  ipAddress: '192.0.2.7',
  device: 'Firefox on Linux',
  at: LATER,
  ...change,
})

export const aPasskey = (change: Partial<Passkey> = {}): Passkey => ({
  id: 'passkey-1',
  name: 'My laptop',
  createdAt: LONG_AGO,
  lastUsedAt: null,
  ...change,
})

export const aNumber = (change: Partial<CallerNumber> = {}): CallerNumber => ({
  phone: '+12024560901',
  kind: 'verified',
  isDefault: false,
  createdAt: LONG_AGO,
  ...change,
})

export const aVerification = (change: Partial<CallerVerification> = {}): CallerVerification => ({
  id: 'verification-1',
  phone: '+12024560901',
  status: 'calling',
  endReason: null,
  endMessage: null,
  heard: null,
  triesLeft: 5,
  expiresAt: '2027-01-01T10:00:00.000Z',
  ...change,
})

export const anExport = (change: Partial<DataExport> = {}): DataExport => ({
  id: 'export-1',
  status: 'ready',
  progress: 100,
  bytes: 2_500_000,
  createdAt: LATER,
  expiresAt: '2026-11-27T10:00:00.000Z',
  ...change,
})

export const aDelivery = (change: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: 'delivery-1',
  type: 'call.completed',
  url: HOOK,
  status: 'delivered',
  attempts: 1,
  responseStatus: 200,
  error: null,
  nextAttemptAt: null,
  createdAt: LATER,
  deliveredAt: LATER,
  ...change,
})

/** A server with a saved webhook and these deliveries. */
export function serveHook(deliveries: readonly WebhookDelivery[] = []): FakeApi {
  const api = serve()
  api.answer(accountsRoutes.getSettings, { ...SETTINGS_DEFAULTS, webhookUrl: HOOK })
  api.answer(noticesRoutes.webhook, { url: HOOK, secret: 'whsec_c2VjcmV0', events: ['call.completed'] })
  api.answer(noticesRoutes.deliveries, [...deliveries])
  return api
}

/** Makes the route require step-up; `then` runs after a proof. */
export function askForProofAt(api: FakeApi, route: Route, then: () => void): void {
  api.refuse(route, 'step_up_needed', { message: 'Please confirm that it is you.' })
  api.answer(confirmationsRoutes.stepUp, () => {
    then()
    const proven: StepUp = { ways: ['password'], until: LATER }
    return proven
  })
}

/** A section of the page by its heading. */
export const section = (name: string): Locator => page.getByRole('region', { name, exact: true })

export const stepUpDialog = (): Locator => page.getByRole('dialog', { name: "Confirm that it's you", exact: true })

export async function pressIn(part: Locator, name: string | RegExp): Promise<void> {
  await part.getByRole('button', { name, exact: true }).click()
}

/** The button is disabled while pending. */
export async function expectBusy(name: string, within: Pick<Locator, 'getByRole'> = page): Promise<void> {
  await expect.element(within.getByRole('button', { name, exact: true })).toHaveAttribute('aria-disabled', 'true')
}

/** A toast with this title and description. */
export async function expectToast(title: string, description?: string): Promise<void> {
  const toast = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
  await expect.element(toast.getByText(title, { exact: true })).toBeVisible()
  if (description !== undefined) await expect.element(toast.getByText(description, { exact: true })).toBeVisible()
}

/** Minimal WebAuthn options, as the server sends them. */
export const PASSKEY_OPTIONS = {
  challenge: 'Y2hhbGxlbmdl',
  rp: { name: 'Parley', id: 'localhost' },
  user: { id: 'YWRh', name: ADA.email, displayName: ADA.name },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
}

/** A device that creates and returns passkeys at once. */
export function stubDevice() {
  const credential = Object.assign(Object.create(PublicKeyCredential.prototype) as PublicKeyCredential, {
    toJSON: () => ({ id: 'made-by-the-device' }),
  })
  return {
    create: vi.spyOn(navigator.credentials, 'create').mockResolvedValue(credential),
    get: vi.spyOn(navigator.credentials, 'get').mockResolvedValue(credential),
  }
}
