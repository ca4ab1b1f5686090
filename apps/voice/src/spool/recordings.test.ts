import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { decodeWav, WAV_HEADER_BYTES } from '@parley/voice-ports'
import { startFakeApi, type FakeApi } from '../session/testing/fake-api.ts'
import { quietLog } from '../session/testing/fakes.ts'
import { Spool } from './recordings.ts'

let api: FakeApi
let dir: string
let spool: Spool

beforeEach(async () => {
  api = await startFakeApi()
  dir = await mkdtemp(join(tmpdir(), 'parley-spool-'))
  const pace = { firstRetryMs: 5, longestRetryMs: 5, budgetMs: 10_000 }
  spool = new Spool({ dir, apiUrl: api.url, secret: 'a secret of some length', log: quietLog(), pace })
})
afterEach(async () => {
  spool.close()
  await api.close()
  await rm(dir, { recursive: true })
})

const seconds = (count: number) => new Uint8Array(count * 16_000).map((_, at) => (at % 2 === 0 ? 0x10 : 0x90))

it('uploads a recording as a complete WAV file after retries and deletes it', async () => {
  api.failures.push(503, 500)
  const sink = spool.sinkFor('call-1')
  sink.write(seconds(1))
  sink.write(seconds(2))
  await sink.keep()
  const { channels, sampleRateHz } = decodeWav(api.recordings.get('call-1') ?? new Uint8Array())
  expect([sampleRateHz, channels.length, channels[0]?.length]).toEqual([8000, 2, 24_000])
  expect(channels[0]?.[0]).toBe(-(channels[1]?.[0] ?? 0))
  expect(await readdir(dir)).toEqual([])
})

it('deletes a recording that the api refuses and one that is discarded', async () => {
  api.failures.push(404)
  const unwanted = spool.sinkFor('call-2')
  unwanted.write(seconds(1))
  await unwanted.keep()
  const discarded = spool.sinkFor('call-3')
  discarded.write(seconds(1))
  await discarded.discard()
  expect(api.recordings.size).toBe(0)
  expect(await readdir(dir)).toEqual([])
})

it('uploads after a restart recordings left by a crash or an early shutdown', async () => {
  api.failures.push(...Array.from({ length: 1000 }, () => 503))
  const sink = spool.sinkFor('call-4')
  sink.write(seconds(1))
  const kept = sink.keep()
  await vi.waitFor(() => expect(api.failures.length).toBeLessThan(999), 40_000)
  spool.close()
  await kept
  // Cut off while it was written: its header says nothing yet.
  await writeFile(join(dir, 'call-5.wav'), Buffer.concat([new Uint8Array(WAV_HEADER_BYTES), seconds(3)]))
  api.failures.length = 0
  spool = new Spool({ dir, apiUrl: api.url, secret: 'a secret of some length', log: quietLog() })
  await spool.sendLeftovers()
  expect(decodeWav(api.recordings.get('call-4')!).channels[0]).toHaveLength(8000)
  expect(decodeWav(api.recordings.get('call-5')!).channels[1]).toHaveLength(24_000)
  expect(await readdir(dir)).toEqual([])
})

it('keeps a file inside its folder when the call id contains ../', async () => {
  const sink = spool.sinkFor('../../call')
  sink.write(seconds(1))
  await sink.keep()
  expect([...api.recordings.keys()]).toEqual(['../../call'])
})

it('sends the token of the call, also after a restart, and tries again after 401', async () => {
  const shown: (string | undefined)[] = []
  const realFetch = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
    shown.push(new Headers(init?.headers).get('authorization') ?? undefined)
    return realFetch(url, init)
  })
  api.failures.push(401)
  const sink = spool.sinkFor('call-6', 'token of six')
  sink.write(seconds(1))
  await sink.keep()
  spool.close()
  const late = spool.sinkFor('call-7', 'token of seven')
  late.write(seconds(1))
  await late.keep()
  await new Spool({ dir, apiUrl: api.url, secret: 'shared', log: quietLog() }).sendLeftovers()
  vi.restoreAllMocks()
  expect(shown).toEqual(['Bearer token of six', 'Bearer token of six', 'Bearer token of seven'])
  expect([...api.recordings.keys()]).toEqual(['call-6', 'call-7'])
  expect(await readdir(dir)).toEqual([])
})

it('silences one channel of what was written already, between two samples', async () => {
  const sink = spool.sinkFor('call-7')
  sink.write(seconds(2))
  sink.silence(0, 4000, 12_000)
  sink.write(seconds(1))
  await sink.keep()
  const { channels } = decodeWav(api.recordings.get('call-7') ?? new Uint8Array())
  const loud = (channel: number, at: number) => Math.abs(channels[channel]?.[at] ?? 0) > 0.01
  expect([3999, 4000, 11_999, 12_000, 23_999].map((at) => loud(0, at))).toEqual([true, false, false, true, true])
  expect([4000, 11_999].map((at) => loud(1, at))).toEqual([true, true])
})
