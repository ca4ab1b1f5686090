import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createOutbox } from './mail.ts'

async function outbox() {
  const dir = await mkdtemp(join(tmpdir(), 'outbox-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return { mails: createOutbox(dir), file: join(dir, 'outbox.jsonl') }
}

const mail = (to: string) => ({ to, subject: 'Welcome', text: 'Hello', html: '<p>Hello</p>' })

test('the mails of the outbox are listed newest first', async () => {
  const { mails } = await outbox()
  await Promise.all([mails.send(mail('ada@parley.example')), mails.send(mail('ben@parley.example'))])
  expect((await mails.list()).map(({ to }) => to)).toEqual(['ben@parley.example', 'ada@parley.example'])
})

test('a mail of which only a part is written is left out of the list, and later ones are kept', async () => {
  const { mails, file } = await outbox()
  await mails.send(mail('ada@parley.example'))
  await appendFile(file, '{"to":"cut@parley.example","subje')
  expect((await mails.list()).map(({ to }) => to)).toEqual(['ada@parley.example'])
  await mails.send(mail('ben@parley.example'))
  expect((await mails.list()).map(({ to }) => to)).toEqual(['ben@parley.example', 'ada@parley.example'])
})
