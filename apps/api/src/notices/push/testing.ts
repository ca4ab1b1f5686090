import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { APP_ID } from '@parley/contract'
import { type ApnsFarEnd, type FcmFarEnd, startApnsFarEnd, startFcmFarEnd } from '@parley/sandbox/testing'
import type { ApnsKeys, FcmKeys } from '../../config-phones.ts'

export interface PushFarEnds {
  readonly apns: ApnsFarEnd
  readonly fcm: FcmFarEnd
  readonly keys: { readonly apns: ApnsKeys; readonly fcm: FcmKeys }
  /** Variables of an api with these keys. */
  readonly environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Both halves of a new key, in PEM. */
function pems({ publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }) {
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Both services on this machine, with keys that they take. */
export async function startPushFarEnds(): Promise<PushFarEnds> {
  const own = pems(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  const account = pems(generateKeyPairSync('rsa', { modulusLength: 2048 }))
  const [keyId, teamId] = ['KEY1234567', 'TEAM123456']
  const apns = await startApnsFarEnd({ keyId, teamId, publicKey: own.publicKey, topic: APP_ID })
  const clientEmail = 'push@parley-test.iam.gserviceaccount.com'
  const fcm = await startFcmFarEnd({ project: 'parley-test', clientEmail, publicKey: account.publicKey })
  const keys = {
    apns: { keyId, teamId, privateKey: own.privateKey, url: apns.url },
    fcm: {
      url: fcm.url,
      account: {
        project_id: 'parley-test',
        client_email: clientEmail,
        private_key: account.privateKey,
        token_uri: fcm.tokenUri,
      },
    },
  }
  const folder = await mkdtemp(join(tmpdir(), 'parley-push-'))
  const [keyFile, accountFile] = [join(folder, 'key.p8'), join(folder, 'account.json')]
  await writeFile(keyFile, own.privateKey)
  await writeFile(accountFile, JSON.stringify(keys.fcm.account))
  return {
    apns,
    fcm,
    keys,
    environment: {
      APPLE_TEAM_ID: teamId,
      APNS_KEY_ID: keyId,
      APNS_KEY_FILE: keyFile,
      APNS_URL: apns.url,
      FCM_ACCOUNT_FILE: accountFile,
      FCM_URL: fcm.url,
    },
    async close() {
      await Promise.all([apns.close(), fcm.close(), rm(folder, { recursive: true, force: true })])
    },
  }
}
