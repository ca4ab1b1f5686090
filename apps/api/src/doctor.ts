import { join } from 'node:path'
import { Liveness, PROBE_PATHS, SHELL_PLATFORMS, VOICE_PATHS } from '@parley/contract'
import { type Check, type CheckedPart, CheckedParts, type CheckResult, runCheck } from '@parley/contract/checks'
import type { Key, Keys } from '@parley/contract/keys'
import { standingOfKeys } from './accounts/index.ts'
import { livingVoiceNodes } from './calls/index.ts'
import type { Config } from './config.ts'
import { secretDangers } from './config-hosting.ts'
import { booksHaveTheirRole, checkPayments } from './credits/index.ts'
import { createPushSenders } from './notices/index.ts'
import { createDisk } from './platform/data/disk.ts'
import { createDatabase } from './platform/db.ts'
import { findEmbeddedPostgres } from './platform/database/embedded.ts'
import { createDiskStore, createS3Store } from './platform/files.ts'
import { verifySmtp } from './platform/mail.ts'
import { checkRedis, checkServerVersion, databaseFailure } from './platform/process/start-failures.ts'

// What `npm run doctor` asks of the api's side: one harmless request to each configured part.

const EMBEDDED_DATABASE = 'parley'
/** Longer than a node's own checks take. */
const NODE_DEADLINE_MS = 12_000

const good = (detail: string): CheckResult => ({ ok: true, detail })
const bad = (problem: string, mend: string): CheckResult => ({ ok: false, problem, mend })

/** Never rejects. Parts of voice nodes come with the name of their node. */
export async function checkProduct(config: Config): Promise<CheckedPart[]> {
  const checks = [
    secrets(config),
    database(config),
    redis(config),
    mail(config),
    payments(config),
    storage(config),
    address(config),
    ...notifications(config),
  ]
  const [own, voice] = await Promise.all([
    Promise.all(checks.flatMap((check) => check ?? []).map((check) => runCheck(check))),
    voiceNodes(config),
  ])
  return [...own, ...voice]
}

async function openDatabase({ databaseUrl, dataDir }: Config) {
  const url = databaseUrl ?? (await findEmbeddedPostgres(join(dataDir, 'postgres')))?.(EMBEDDED_DATABASE)
  return url === undefined ? undefined : createDatabase(url, { poolSize: 1 })
}

function database(config: Config): Check {
  const { databaseUrl, dataDir } = config
  const mend = databaseUrl === undefined ? 'Start the product with "npm start".' : 'Correct DATABASE_URL.'
  return {
    part: 'database',
    mend,
    async run() {
      const opened = await openDatabase(config)
      if (!opened) return bad(`No product is running on ${dataDir}.`, `${mend} Or set DATA_DIR or DATABASE_URL.`)
      try {
        await checkServerVersion(opened.pool)
        const { rows } = await opened.pool.query<{ version: string }>(
          "select current_setting('server_version') as version",
        )
        const where = databaseUrl === undefined ? `embedded in ${dataDir}` : `at ${new URL(databaseUrl).host}`
        const isOpen = (await booksHaveTheirRole(opened.db)) === false
        const books = isOpen ? ' Its user may write the books past their functions: see docs/hosting.md.' : ''
        return good(`PostgreSQL ${rows[0]?.version ?? ''}, ${where}.${books}`)
      } catch (error) {
        throw (databaseUrl !== undefined && databaseFailure(databaseUrl, error)) || error
      } finally {
        await opened.close()
      }
    },
  }
}

/** Whether they are good, and what still needs an older key of a rotation. */
function secrets(config: Config): Check {
  const { authKeys, voice } = config
  const [danger] = secretDangers({ AUTH_SECRET: authKeys, VOICE_SECRET: voice.keys })
  const mend = 'Correct AUTH_SECRET or VOICE_SECRET; SECURITY.md says how.'
  return {
    part: 'secrets',
    mend,
    async run() {
      if (danger !== undefined) return bad(danger, mend)
      const said = `AUTH_SECRET ${keysOf(authKeys)}, VOICE_SECRET ${keysOf(voice.keys)}.`
      const opened = await openDatabase(config)
      if (!opened) return good(said)
      try {
        const { waiting, lost, unkept } = await standingOfKeys(opened.db, authKeys)
        if (lost > 0)
          return bad(`No key of AUTH_SECRET opens ${lost} second factors.`, 'Put the key that left it back at its end.')
        if (authKeys.length === 1) return good(said)
        return waiting > 0 || unkept.length > 0
          ? good(
              `${said} Older keys must stay until a worker has sealed anew what they sealed (${waiting} second factors).`,
            )
          : good(`${said} Nothing that is stored needs an older key of AUTH_SECRET.`)
      } finally {
        await opened.close()
      }
    },
  }
}

function keysOf([first, ...older]: Keys): string {
  if (older.length === 0) return 'has one key'
  return `makes with key ${first.id} and also takes ${older.map(({ id }) => id).join(' and ')}`
}

function redis({ redisUrl }: Config): Check | undefined {
  if (redisUrl === undefined) return undefined
  return {
    part: 'redis',
    mend: 'Start it, correct REDIS_URL, or remove REDIS_URL to do without.',
    async run() {
      await checkRedis(redisUrl)
      return good(`Redis at ${new URL(redisUrl).host} answers.`)
    },
  }
}

function mail({ mail: settings, dataDir }: Config): Check {
  return {
    part: 'mail',
    mend: 'Correct SMTP_URL: its host, port, user or password.',
    async run() {
      if (settings.kind === 'outbox')
        return good(`Mails are kept in ${dataDir} and not sent; set SMTP_URL to send them.`)
      await verifySmtp(settings.url)
      return good(`The SMTP server ${new URL(settings.url).host} lets us in.`)
    },
  }
}

function payments({ payments: keys }: Config): Check {
  return {
    part: 'payments',
    mend:
      keys.kind === 'sandbox'
        ? 'Start the product with "npm start", which runs the payments sandbox.'
        : 'Correct the STRIPE_ keys, or let this machine reach the payment provider.',
    async run() {
      if (keys.kind === 'off')
        return bad('Credits cannot be bought: no STRIPE_ key is set.', 'Set the three STRIPE_ keys.')
      await checkPayments(keys)
      return good(keys.kind === 'sandbox' ? 'The payments sandbox: no card is charged.' : 'Stripe takes our key.')
    },
  }
}

function storage({ s3, dataDir }: Config): Check {
  return {
    part: 'storage',
    mend: s3 ? 'Correct the S3_ variables, or the rights of the key.' : `Make ${dataDir} readable and writable.`,
    async run() {
      const store = s3 ? createS3Store(s3) : createDiskStore(dataDir)
      await store.size('doctor/no-such-file')
      const room = await createDisk(dataDir).state()
      if (room !== 'ok')
        return bad(`The disk of ${dataDir} is ${room === 'full' ? 'full' : 'nearly full'}.`, 'Free some space on it.')
      return good(s3 ? `The bucket ${s3.bucket} answers.` : `Recordings are kept in ${dataDir}.`)
    },
  }
}

const SERVICES = {
  ios: { name: "Apple's push service", mend: 'Correct APNS_KEY_FILE, APNS_KEY_ID, APPLE_TEAM_ID or APNS_URL.' },
  android: { name: "Firebase's messaging", mend: 'Correct FCM_ACCOUNT_FILE, or give its account the right to send.' },
} as const

/** None where no keys are set: notifications are an extra. */
function notifications({ push }: Config): Check[] {
  const senders = createPushSenders(push)
  return SHELL_PLATFORMS.flatMap((platform) => {
    const sender = senders[platform]
    const { name, mend } = SERVICES[platform]
    if (!sender) return []
    return {
      part: `notifications on ${platform === 'ios' ? 'iOS' : 'Android'}`,
      mend,
      async run() {
        const result = await sender.check()
        if (result.kind === 'sent' || result.kind === 'gone') return good(`${name} takes our keys.`)
        return bad(`${name} does not take our keys: ${result.problem}.`, mend)
      },
    }
  })
}

function address({ publicUrl }: Config): Check {
  const mend = `Let ${publicUrl} lead to PORT of the api, or correct PUBLIC_URL.`
  return {
    part: 'PUBLIC_URL',
    mend,
    async run(signal) {
      const answer = await fetch(publicUrl + PROBE_PATHS.livez, { signal, redirect: 'error' })
      const isOurs = Liveness.safeParse(await answer.json().catch(() => undefined)).success
      return answer.ok && isOurs
        ? good(`${publicUrl} leads to the product.`)
        : bad(`${publicUrl} answers ${answer.status}, and not as the product does.`, mend)
    },
  }
}

async function voiceNodes(config: Config): Promise<CheckedPart[]> {
  const nodes = await nodesOf(config)
  const parts = await Promise.all(nodes.map(({ name, url }) => partsOf(config, name, url)))
  return parts.flat()
}

/** Those that have joined; VOICE_URL while none has, or while the database cannot tell. */
async function nodesOf(config: Config): Promise<{ readonly name: string; readonly url: string }[]> {
  const alone = [{ name: 'voice', url: config.voice.url }]
  const opened = await openDatabase(config).catch(() => undefined)
  if (!opened) return alone
  try {
    const nodes = await livingVoiceNodes(opened.db)
    return nodes.length === 0 ? alone : nodes.map(({ nodeId, privateUrl }) => ({ name: nodeId, url: privateUrl }))
  } catch {
    return alone
  } finally {
    await opened.close()
  }
}

async function partsOf({ voice: { keys } }: Config, name: string, url: string): Promise<CheckedPart[]> {
  let found: readonly CheckedPart[] = []
  const asked = await runCheck(
    {
      part: name,
      mend: `Start the voice service, or let this machine reach it at ${url}.`,
      async run(signal) {
        const ask = ({ secret }: Key) =>
          fetch(url + VOICE_PATHS.checks, { headers: { authorization: `Bearer ${secret}` }, signal })
        let answer = await ask(keys[0])
        for (const key of keys.slice(1)) if (answer.status === 401) answer = await ask(key)
        const told = CheckedParts.safeParse(await answer.json().catch(() => undefined))
        if (answer.status === 401)
          return bad(`The voice service at ${url} has another secret.`, 'Give api and voice the same VOICE_SECRET.')
        if (!answer.ok || !told.success)
          return bad(`What answers at ${url} tells no checks.`, 'Bring the voice service to the version of the api.')
        found = told.data.parts
        return good(`The voice service at ${url} answers.`)
      },
    },
    NODE_DEADLINE_MS,
  )
  return [asked, ...found.map((each) => ({ ...each, part: `${name}: ${each.part}` }))]
}
