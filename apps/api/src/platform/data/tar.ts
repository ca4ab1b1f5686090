import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

// The part of tar (POSIX ustar) that a cluster copy needs; any tar program can read it.

const BLOCK = 512
const CHUNK = 256 * 1024
const NAME_MAX = 100
const FOLDER = '5'
const FILE = '0'
/** End of archive: two zero blocks. */
const END = Buffer.alloc(2 * BLOCK)

export function* tarFolder(path: string): Generator<Buffer> {
  yield header(`${path}/`, 0, FOLDER)
}

export function* tarText(path: string, content: Buffer): Generator<Buffer> {
  yield header(path, content.length, FILE)
  yield content
  yield padding(content.length)
}

/** An entry for a file that may change: its size is fixed at opening, and a shrunk file is padded with zeros. */
export async function* tarFile(path: string, from: string): AsyncGenerator<Buffer> {
  const file = await open(from, 'r')
  try {
    const { size } = await file.stat()
    yield header(path, size, FILE)
    for (let at = 0; at < size;) {
      const wanted = Buffer.alloc(Math.min(CHUNK, size - at))
      const { bytesRead } = await file.read(wanted, 0, wanted.length, at)
      // Past the end, the buffer's zeros are the padding.
      const length = bytesRead === 0 ? wanted.length : bytesRead
      at += length
      yield wanted.subarray(0, length)
    }
    yield padding(size)
  } finally {
    await file.close()
  }
}

export function tarEnd(): Buffer {
  return END
}

function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
}

function header(path: string, size: number, type: typeof FOLDER | typeof FILE): Buffer {
  if (Buffer.byteLength(path) > NAME_MAX) throw new Error(`${path} is too long a name for the archive.`)
  const block = Buffer.alloc(BLOCK)
  block.write(path, 0)
  block.write(type === FOLDER ? '0000700\0' : '0000600\0', 100)
  block.write('0000000\0'.repeat(2), 108)
  // ustar sizes end at 8 GB; PostgreSQL splits files at 1 GB.
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write(`${'0'.repeat(11)}\0`, 136)
  block.write('        ', 148)
  block.write(type, 156)
  block.write('ustar\0' + '00', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** Unpacks an archive into a folder with fsync. Calls `made` with each path. */
export async function untar(archive: string, folder: string, made: (path: string) => Promise<void>): Promise<void> {
  await pipeline(createReadStream(archive), createGunzip(), async (source: AsyncIterable<Buffer>) => {
    const reader = new Blocks(source)
    for (;;) {
      const block = await reader.take(BLOCK)
      if (block.every((byte) => byte === 0)) break
      const name = textAt(block, 0, NAME_MAX)
      const path = join(folder, name)
      if (normalize(name).startsWith('..')) throw new Error(`The archive names ${name}, outside of it.`)
      if (String.fromCharCode(block[156] ?? 0) === FOLDER) await mkdir(path, { recursive: true, mode: 0o700 })
      else await unpackFile(reader, path, Number.parseInt(textAt(block, 124, 12), 8))
      await made(path)
    }
    // Only zero blocks follow.
    await reader.drain()
  })
}

async function unpackFile(reader: Blocks, path: string, size: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'w', 0o600)
  try {
    for (let left = size; left > 0;) {
      const part = await reader.take(Math.min(left, CHUNK))
      await file.write(part)
      left -= part.length
    }
    await reader.take(padding(size).length)
    await file.sync()
  } finally {
    await file.close()
  }
}

function textAt(block: Buffer, at: number, length: number): string {
  const text = block.toString('utf8', at, at + length)
  const end = text.indexOf('\0')
  return end === -1 ? text : text.slice(0, end)
}

/** Reads a stream in pieces of requested sizes. */
class Blocks {
  readonly #source: AsyncIterator<Buffer, unknown>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async take(length: number): Promise<Buffer> {
    const parts = [this.#rest]
    for (let have = this.#rest.length; have < length;) {
      const next: IteratorResult<Buffer, unknown> = await this.#source.next()
      if (next.done === true) throw new Error('The archive ends before its end.')
      parts.push(next.value)
      have += next.value.length
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts)
    this.#rest = all.subarray(length)
    return all.subarray(0, length)
  }

  async drain(): Promise<void> {
    while ((await this.#source.next()).done !== true);
  }
}
