import { unzipSync } from 'fflate'
import { expect, test, vi } from 'vitest'
import type { ExportFile } from '../room.ts'
import { zipOf } from './zip.ts'

async function* told(...pieces: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* pieces
}
const file = (name: string, ...pieces: (string | Uint8Array)[]): ExportFile => ({ name, read: () => told(...pieces) })

async function wholeOf(pieces: AsyncIterable<Buffer>): Promise<Uint8Array> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

test('files of several pieces, of bytes and of nothing come out of the zip as they went in', async () => {
  const onAdded = vi.fn<() => void>()
  const files = [
    file('a.json', '[', '"é"', ']\n'),
    { ...file('folder/b.wav', new Uint8Array([0, 255])), isStored: true },
    file('c'),
  ]
  const entries = unzipSync(await wholeOf(zipOf(files, onAdded)))
  expect(new TextDecoder().decode(entries['a.json'])).toBe('["é"]\n')
  expect([...entries['folder/b.wav']!]).toEqual([0, 255])
  expect(entries['c']).toHaveLength(0)
  expect(onAdded).toHaveBeenCalledTimes(3)
})

test('more than 65,535 files make a ZIP64 with all of them', async () => {
  const FILES = 65_600
  function* files() {
    for (let number = 0; number < FILES; number++) yield { ...file(`${number}`, 'x'), isStored: true }
  }
  const bytes = Buffer.from(await wholeOf(zipOf(files())))
  // The end of the ZIP64 directory: 56 bytes, of which the number of entries is at 32; its locator and the old end follow.
  const end = bytes.subarray(-22 - 20 - 56)
  expect(end.readUInt32LE(0)).toBe(0x06_06_4b_50)
  expect(end.readBigUInt64LE(32)).toBe(BigInt(FILES))
  expect(Object.keys(unzipSync(bytes, { filter: ({ name }) => name.endsWith('599') }))).toContain('65599')
}, 120_000)

test('a file that cannot be read fails the zip, and the next ones are not begun', async () => {
  const begun: string[] = []
  const failing = async function* () {
    yield 'x'
    throw new Error('The file is gone.')
  }
  const files = [
    { name: 'a', read: failing },
    { name: 'b', read: () => (begun.push('b'), told('b')) },
  ]
  await expect(wholeOf(zipOf(files))).rejects.toThrow('The file is gone.')
  expect(begun).toEqual([])
})

test('a reader that stops early closes the file that is being read', async () => {
  const closed = vi.fn<() => void>()
  const endless = async function* () {
    try {
      for (;;) yield crypto.getRandomValues(new Uint8Array(65_536))
    } finally {
      closed()
    }
  }
  const pieces = zipOf([{ name: 'a', read: endless }])
  for (let piece = 0; piece < 5; piece++) await pieces.next()
  await pieces.return(undefined)
  await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce())
})
