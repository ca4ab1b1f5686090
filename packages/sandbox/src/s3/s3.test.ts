import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startBucket } from './index.ts'

const signed = { authorization: 'AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/s3/aws4_request' }

test('a bucket with a folder has its objects again after a restart, and a removed one no more', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-bucket-'))
  const first = await startBucket({ port: 0, dir })
  for (const key of ['recordings/a.wav', 'recordings/b.wav'])
    await fetch(`${first.url}/calls/${key}`, { method: 'PUT', headers: signed, body: key })
  await first.close()

  const next = await startBucket({ port: 0, dir })
  const listed = () =>
    fetch(`${next.url}/calls?list-type=2&prefix=recordings/`, { headers: signed }).then((answer) => answer.text())
  expect(await (await fetch(`${next.url}/calls/recordings/a.wav`, { headers: signed })).text()).toBe('recordings/a.wav')
  expect(await listed()).toContain('<Key>recordings/b.wav</Key>')
  const removed = '<Delete><Object><Key>recordings/b.wav</Key></Object></Delete>'
  await fetch(`${next.url}/calls?delete`, { method: 'POST', headers: signed, body: removed })
  expect(await listed()).not.toContain('b.wav')
  expect((await fetch(`${next.url}/calls/recordings/a.wav`)).status).toBe(403)
  await next.close()
  await rm(dir, { recursive: true, force: true })
})
