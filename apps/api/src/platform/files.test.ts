import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createS3Store } from './files.ts'

test('an upload whose sender aborts ends at once, also towards S3', async () => {
  const begun = Promise.withResolvers<void>()
  const broken = Promise.withResolvers<void>()
  const s3 = createServer((request) => {
    request.once('data', () => begun.resolve())
    request.once('error', () => broken.resolve())
  })
  await once(s3.listen(0, '127.0.0.1'), 'listening')
  const { port } = s3.address() as AddressInfo
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  const store = createS3Store({ bucket: 'sounds', region: 'eu', endpoint: `http://127.0.0.1:${port}`, credentials })
  const content = new PassThrough()
  content.write('the beginning')
  const put = store.put('recordings/a.wav', content, 100_000, 'audio/wav')
  put.catch(() => undefined)
  await begun.promise
  content.destroy()
  await expect(put).rejects.toThrow('Premature close')
  await broken.promise
  s3.close()
}, 90_000)
