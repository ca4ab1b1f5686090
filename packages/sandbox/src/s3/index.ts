import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** An S3 service with one bucket, on this machine. */
export interface Bucket {
  readonly url: string
  /** Environment of the api that keeps its recordings here. */
  readonly environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

interface Options {
  /** 0: any free port. */
  readonly port: number
  /** Where the objects are kept; without one, nothing outlives the process. */
  readonly dir?: string
}

const HOST = '127.0.0.1'
const NAME = 'calls'
const ACCESS_KEY = 'key'
/** Node's own 5 s would close a connection just as a busy client begins to write, more often than a store does. */
const IDLE_MS = 60_000

/** The requests that the api makes, path style: put, get and head an object, list by prefix, delete several. */
export async function startBucket({ port, dir }: Options): Promise<Bucket> {
  const objects = dir === undefined ? new Map<string, Buffer>() : new ObjectFiles(dir)
  // A client that is gone is answered nothing.
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    void answer(objects, request, response).catch(() => response.destroy())
  const server = createServer({ keepAliveTimeout: IDLE_MS }, serve)
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, HOST, listening))
  const url = `http://${HOST}:${portOf(server)}`
  return {
    url,
    environment: bucketEnvironment(url),
    close: () => new Promise((closed) => server.close(() => closed()).closeAllConnections()),
  }
}

function portOf(server: Server): number {
  // It listens on a TCP port.
  return (server.address() as AddressInfo).port
}

/** What the api is given where the bucket is, or will be, at this address. */
export function bucketEnvironment(url: string): Bucket['environment'] {
  return {
    S3_BUCKET: NAME,
    S3_ENDPOINT: url,
    S3_ACCESS_KEY_ID: ACCESS_KEY,
    S3_SECRET_ACCESS_KEY: 'secret of the sandbox',
  }
}

async function answer(objects: Objects, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request)
  const url = new URL(request.url ?? '', 'http://bucket')
  const key = decodeURIComponent(url.pathname.slice(1).replace(/^[^/]*\/?/, ''))
  if (request.headers.authorization?.includes(`Credential=${ACCESS_KEY}/`) !== true)
    return void response.writeHead(403).end()
  if (request.method === 'PUT') {
    objects.set(key, body)
    return void response.end()
  }
  if (request.method === 'POST') {
    for (const [, each = ''] of body.toString().matchAll(/<Key>(.*?)<\/Key>/g)) objects.delete(each)
    return void response.end('<DeleteResult/>')
  }
  if (url.searchParams.get('list-type') === '2')
    return void response.end(listOf([...objects.keys()], url.searchParams.get('prefix') ?? ''))
  const object = objects.get(key)
  if (!object) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code><Message>gone</Message></Error>')
  const [, from, until] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const part = from === undefined ? object : object.subarray(Number(from), Number(until) + 1)
  response.writeHead(from === undefined ? 200 : 206, { 'content-length': part.length })
  response.end(request.method === 'HEAD' ? undefined : part)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

function listOf(keys: readonly string[], prefix: string): string {
  const found = keys.filter((each) => each.startsWith(prefix))
  const contents = found.map((each) => `<Contents><Key>${each}</Key></Contents>`).join('')
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`
}

/** What of a Map is needed. */
interface Objects {
  get(key: string): Buffer | undefined
  set(key: string, object: Buffer): unknown
  delete(key: string): boolean
  keys(): Iterable<string>
}

/** Objects as files, for a bucket whose process may be killed. */
class ObjectFiles implements Objects {
  readonly #dir: string

  constructor(dir: string) {
    this.#dir = dir
    mkdirSync(dir, { recursive: true })
  }

  get(key: string): Buffer | undefined {
    try {
      return readFileSync(this.#pathOf(key))
    } catch {
      return undefined
    }
  }

  /** Whole or not at all. */
  set(key: string, object: Buffer): void {
    writeFileSync(`${this.#pathOf(key)}${PARTIAL}`, object)
    renameSync(`${this.#pathOf(key)}${PARTIAL}`, this.#pathOf(key))
  }

  delete(key: string): boolean {
    const isThere = this.get(key) !== undefined
    rmSync(this.#pathOf(key), { force: true })
    return isThere
  }

  keys(): string[] {
    return readdirSync(this.#dir)
      .filter((name) => !name.endsWith(PARTIAL))
      .map((name) => decodeURIComponent(name))
  }

  #pathOf(key: string): string {
    return join(this.#dir, encodeURIComponent(key))
  }
}

/** Never the end of an encoded key, which has no bare % sign. */
const PARTIAL = '%partial'
