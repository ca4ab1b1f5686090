import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { finished, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Bytes `from` to `until`, both included. */
export interface ByteRange {
  readonly from: number
  readonly until: number
}

/**
 * Files too large for the database. Keys are paths of letters, digits, dashes and dots; who may read is not decided
 * here.
 */
export interface FileStore {
  readonly kind: 'disk' | 's3'
  /** Whole or not at all. */
  put(key: string, content: Readable, bytes: number, type: string): Promise<void>
  /** In bytes; undefined when there is none. */
  size(key: string): Promise<number | undefined>
  /** undefined when there is none. Destroy the content when it is not read to its end. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  remove(keys: readonly string[]): Promise<void>
  /** Everything under a path, about `atMost` files at a time. Returns whether any may be left. */
  removeAll(folder: string, atMost: number): Promise<boolean>
}

export interface S3Options {
  readonly bucket: string
  readonly region: string
  /** Of a service that speaks S3; Amazon's own without it. */
  readonly endpoint: string | undefined
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

export function createDiskStore(root: string): FileStore {
  const pathOf = (key: string) => join(root, ...safe(key).split('/'))
  return {
    kind: 'disk',
    async put(key, content, bytes) {
      const path = pathOf(key)
      const partial = `${path}.partial`
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      try {
        const file = await open(partial, 'w', 0o600)
        await pipeline(content, file.createWriteStream({ flush: true }))
        if ((await stat(partial)).size !== bytes) throw new Error(`${key} is not ${bytes} bytes long`)
        await rename(partial, path)
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    size: (key) => sizeOf(pathOf(key)),
    async read(key, range) {
      const path = pathOf(key)
      if ((await sizeOf(path)) === undefined) return undefined
      return createReadStream(path, range ? { start: range.from, end: range.until } : {})
    },
    async remove(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true })
    },
    async removeAll(folder) {
      await rm(pathOf(folder), { recursive: true, force: true })
      return false
    },
  }
}

function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
}

const KEYS_AT_ONCE = 1000

/** Loaded where there is a bucket: a start without one takes less time. */
async function openS3({ region, endpoint, credentials }: Omit<S3Options, 'bucket'>) {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    region,
    ...(credentials ? { credentials } : {}),
    // Services that only speak like S3 have no host for each bucket, and know no newer checksums.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { ...sdk, client }
}

export function createS3Store({ bucket: Bucket, region, endpoint, credentials }: S3Options): FileStore {
  let opened: ReturnType<typeof openS3> | undefined
  const open = () => (opened ??= openS3({ region, endpoint, credentials }))
  const remove = async (keys: readonly string[]) => {
    const { client, DeleteObjectsCommand } = await open()
    for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
      const Objects = keys.slice(at, at + KEYS_AT_ONCE).map((key) => ({ Key: safe(key) }))
      const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }))
      if (Errors.length > 0) throw new Error(`${Errors.length} files were not removed: ${Errors[0]?.Message ?? ''}`)
    }
  }
  return {
    kind: 's3',
    async put(key, content, bytes, type) {
      const { client, PutObjectCommand } = await open()
      const what = { Bucket, Key: safe(key) }
      const command = new PutObjectCommand({ ...what, Body: content, ContentLength: bytes, ContentType: type })
      // After an aborted upload the request to S3 would wait for the rest forever.
      const cut = new AbortController()
      const stopWatching = finished(content, (error) => error && cut.abort(error))
      try {
        await client.send(command, { abortSignal: cut.signal })
      } catch (error) {
        throw cut.signal.aborted ? cut.signal.reason : error
      } finally {
        stopWatching()
      }
    },
    async size(key) {
      const { client, HeadObjectCommand } = await open()
      try {
        return (await client.send(new HeadObjectCommand({ Bucket, Key: safe(key) }))).ContentLength
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    async read(key, range) {
      const { client, GetObjectCommand } = await open()
      const Range = range && `bytes=${range.from}-${range.until}`
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: safe(key), ...(Range && { Range }) }))
        // In Node the SDK's body is a stream of Node's own.
        return Body as Readable | undefined
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    remove,
    async removeAll(folder, atMost) {
      const { client, ListObjectsV2Command } = await open()
      const Prefix = `${safe(folder)}/`
      for (let removed = 0; ;) {
        const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix }))
        const keys = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]))
        await remove(keys)
        removed += keys.length
        if (page.IsTruncated !== true || keys.length === 0) return false
        if (removed >= atMost) return true
      }
    },
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')
}

function safe(key: string): string {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key)) throw new Error(`${key} is not a key of the file store`)
  return key
}
