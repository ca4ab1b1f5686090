import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import type { ExportFile } from '../room.ts'

// ZIP with ZIP64 (APPNOTE.TXT 6.3.10), of which an entry's sizes follow its content. Libraries keep much more of each
// entry until the end (docs/decisions/0069).

const LOCAL = 0x04_03_4b_50
const DESCRIPTOR = 0x08_07_4b_50
const CENTRAL = 0x02_01_4b_50
const END = 0x06_05_4b_50
const END_64 = 0x06_06_4b_50
const LOCATOR_64 = 0x07_06_4b_50
const VERSION = 45
/** Sizes follow the content; names are UTF-8. */
const FLAGS = 0x08_08
const STORED = 0
const DEFLATED = 8
const MAX_16 = 0xff_ff
const MAX_32 = 0xff_ff_ff_ff
const EXTRA_64 = 1

interface Entry {
  readonly name: Buffer
  readonly method: number
  readonly time: number
  readonly at: number
  crc: number
  size: number
  packed: number
}

/** A zip of these files, read one after the other. Of each that is done some hundred bytes stay in memory. */
export async function* zipOf(
  files: AsyncIterable<ExportFile> | Iterable<ExportFile>,
  onAdded: () => Promise<void> | void = () => undefined,
): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let at = 0
  const told = (bytes: Buffer) => {
    at += bytes.length
    return bytes
  }
  for await (const file of files) {
    const method = file.isStored === true ? STORED : DEFLATED
    const entry = { name: Buffer.from(file.name), method, time: dosTime(new Date()), at, crc: 0, size: 0, packed: 0 }
    yield told(localHeader(entry))
    for await (const bytes of method === STORED ? measured(file, entry) : deflated(file, entry)) {
      entry.packed += bytes.length
      yield told(bytes)
    }
    yield told(descriptor(entry))
    directory.push(centralHeader(entry))
    await onAdded()
  }
  const start = at
  for (const header of directory) yield told(header)
  yield end(directory.length, start, at - start)
}

/** The content, counted into its entry. */
async function* measured(file: ExportFile, entry: Entry): AsyncGenerator<Buffer> {
  for await (const piece of file.read()) {
    const bytes = Buffer.from(piece)
    entry.crc = crc32(bytes, entry.crc)
    entry.size += bytes.length
    yield bytes
  }
}

async function* deflated(file: ExportFile, entry: Entry): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw()
  const isThrough = pipeline(Readable.from(measured(file, entry), { objectMode: false }), deflate)
  // Reported where its output is read.
  isThrough.catch(() => undefined)
  for await (const bytes of deflate) yield Buffer.from(bytes)
  await isThrough
}

const u16 = (value: number) => [value, 2] as const
const u32 = (value: number) => [value, 4] as const
const u64 = (value: number) => [value, 8] as const

/** Little-endian. */
function fields(...values: readonly (readonly [value: number, bytes: 2 | 4 | 8])[]): Buffer {
  const buffer = Buffer.allocUnsafe(values.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of values) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return buffer
}

const below32 = (value: number) => Math.min(value, MAX_32)
const isBig = (value: number) => value >= MAX_32

function localHeader({ name, method, time }: Entry): Buffer {
  const unknown = [u32(0), u32(0), u32(0)]
  const header = [u32(LOCAL), u16(VERSION), u16(FLAGS), u16(method), u32(time), ...unknown, u16(name.length), u16(0)]
  return Buffer.concat([fields(...header), name])
}

function descriptor({ crc, size, packed }: Entry): Buffer {
  const wide = isBig(size) || isBig(packed) ? u64 : u32
  return fields(u32(DESCRIPTOR), u32(crc), wide(packed), wide(size))
}

function centralHeader({ name, method, time, at, crc, size, packed }: Entry): Buffer {
  const big = [size, packed, at].filter(isBig).map(u64)
  const extra = big.length === 0 ? Buffer.alloc(0) : fields(u16(EXTRA_64), u16(big.length * 8), ...big)
  const header = fields(
    u32(CENTRAL),
    u16(VERSION),
    u16(VERSION),
    u16(FLAGS),
    u16(method),
    u32(time),
    u32(crc),
    u32(below32(packed)),
    u32(below32(size)),
    u16(name.length),
    u16(extra.length),
    // No comment, disk or attributes.
    u16(0),
    u16(0),
    u16(0),
    u32(0),
    u32(below32(at)),
  )
  return Buffer.concat([header, name, extra])
}

/** The end of the directory, with that of ZIP64 before it where a number is too big for the old one. */
function end(entries: number, start: number, bytes: number): Buffer {
  const counted = u16(Math.min(entries, MAX_16))
  const old = [u32(END), u16(0), u16(0), counted, counted, u32(below32(bytes)), u32(below32(start)), u16(0)]
  if (entries < MAX_16 && !isBig(start) && !isBig(bytes)) return fields(...old)
  const versions = [u16(VERSION), u16(VERSION), u32(0), u32(0)]
  const end64 = [u32(END_64), u64(44), ...versions, u64(entries), u64(entries), u64(bytes), u64(start)]
  const locator = [u32(LOCATOR_64), u32(0), u64(start + bytes), u32(1)]
  return fields(...end64, ...locator, ...old)
}

/** Date and time of MS-DOS, to two seconds, in UTC. */
function dosTime(moment: Date): number {
  const date = ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate()
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1)
  return date * 2 ** 16 + time
}
