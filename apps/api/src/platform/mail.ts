import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutboxMail } from '@parley/contract'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Delivery {
  /** Delivers or throws; jobs call it, so that a failing server is tried again. */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

export interface SmtpMailer extends Delivery {
  readonly kind: 'smtp'
}

/** The local outbox, for machines without an SMTP server: mails are kept in a file and shown on a page. */
export interface Outbox extends Delivery {
  readonly kind: 'outbox'
  /** Newest first. */
  list(): Promise<OutboxMail[]>
}

export type Mailer = SmtpMailer | Outbox

const SMTP_TIMEOUT_MS = 15_000

export function createSmtpMailer(url: string, from: string): SmtpMailer {
  // With the first mail: a failure shows where it is waited for.
  let opened: ReturnType<typeof openTransport> | undefined
  return {
    kind: 'smtp',
    async send(mail) {
      const transport = await (opened ??= openTransport(url, from))
      await transport.sendMail({ from, ...mail })
    },
    close: async () => (await opened)?.close(),
  }
}

async function openTransport(url: string, from: string) {
  const transport = (await nodemailer()).createTransport(url, { from })
  const options = {
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  }
  Object.assign(transport.options, options)
  // Errors of idle pooled connections; a failed mail rejects its own send().
  transport.on('error', () => undefined)
  return transport
}

/** Loaded where there is a server: a start without one takes less time. */
const nodemailer = async () => (await import('nodemailer')).default

/** Connects and signs in, and sends nothing. Throws what the server says against it. */
export async function verifySmtp(url: string): Promise<void> {
  const transport = (await nodemailer()).createTransport(url)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

const OUTBOX_MAILS_MAX = 500

export function createOutbox(dataDir: string): Outbox {
  const file = join(dataDir, 'outbox.jsonl')
  let writing: Promise<unknown> = Promise.resolve()
  const read = async (): Promise<OutboxMail[]> => {
    const text = await readFile(file, 'utf8').catch(() => '')
    return text.split('\n').flatMap(mailIn)
  }
  const append = async (mail: Mail) => {
    await mkdir(dataDir, { recursive: true })
    // The line break before it ends a line that was cut off.
    await appendFile(file, `\n${JSON.stringify({ ...mail, sentAt: new Date().toISOString() })}\n`, { mode: 0o600 })
    const all = await read()
    if (all.length <= OUTBOX_MAILS_MAX * 2) return
    const kept = all.slice(-OUTBOX_MAILS_MAX).map((each) => JSON.stringify(each))
    await writeFile(`${file}.new`, `${kept.join('\n')}\n`, { mode: 0o600 })
    await rename(`${file}.new`, file)
  }
  return {
    kind: 'outbox',
    async send(mail) {
      const turn = writing.then(() => append(mail))
      writing = turn.catch(() => undefined)
      await turn
    },
    async list() {
      return (await read()).toReversed().slice(0, OUTBOX_MAILS_MAX)
    },
    close: async () => void (await writing),
  }
}

/** None for a line of which only a part is there: it is being written, or the process ended while it was. */
function mailIn(line: string): OutboxMail[] {
  try {
    // Only send() writes lines here.
    return [JSON.parse(line) as OutboxMail]
  } catch {
    return []
  }
}
