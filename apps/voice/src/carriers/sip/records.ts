import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { CarrierEnd } from '@parley/contract'
import type { CarrierStanding, LegEnd } from '@parley/voice-ports'
import { z } from 'zod'

const BEAT_MS = 5000
/** A process without a beat for longer is gone, and its calls with it. */
const GONE_MS = 3 * BEAT_MS
const FILE_MAX_BYTES = 1024 * 1024
const FILES_MAX = 100
const AGE_MAX_MS = 24 * 3_600_000

/** Wall times: another process has another clock. */
const Line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('placed'), id: z.string(), wallMs: z.number() }),
  z.object({ type: z.literal('answered'), id: z.string(), wallMs: z.number() }),
  z.object({ type: z.literal('beat'), wallMs: z.number() }),
  z.object({ type: z.literal('ended'), id: z.string(), end: CarrierEnd }),
])
type Line = z.infer<typeof Line>

interface Live {
  readonly placedMs: number
  answeredMs: number | null
}

export interface RecordsOptions {
  /** Shared by the processes that may be asked about each other's calls; null: nothing outlives the process. */
  readonly dir: string | null
  readonly wallMs?: () => number
  readonly onFailed: (error: unknown) => void
}

/**
 * What a trunk does not keep: which calls there are and how they ended, also for a process that is gone. Each process
 * appends to a file of its own; the id of a call names it.
 */
export class SipRecords {
  readonly #options: RecordsOptions
  readonly #name = randomBytes(8).toString('hex')
  readonly #live = new Map<string, Live>()
  readonly #beats: NodeJS.Timeout | null
  #bytes = 0
  #read: { readonly state: string; readonly lines: readonly Line[] } | null = null

  /** @throws when the directory cannot be made */
  constructor(options: RecordsOptions) {
    this.#options = options
    const { dir } = options
    if (dir !== null) {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      prune(dir, this.#wallMs)
    }
    this.#beats = dir === null ? null : setInterval(() => this.#beat(), BEAT_MS).unref()
  }

  /** Of a new call. */
  newId(): string {
    return `${this.#name}-${randomBytes(16).toString('hex')}`
  }

  placed(id: string): void {
    this.#live.set(id, { placedMs: this.#wallMs, answeredMs: null })
    this.#write({ type: 'placed', id, wallMs: this.#wallMs })
  }

  answered(id: string): void {
    const live = this.#live.get(id)
    if (live) live.answeredMs = this.#wallMs
    this.#write({ type: 'answered', id, wallMs: this.#wallMs })
  }

  ended(id: string, end: LegEnd): void {
    this.#live.delete(id)
    this.#write({ type: 'ended', id, end })
    if (this.#bytes > FILE_MAX_BYTES) this.#compact()
  }

  /** What another process wrote about its call; null: it wrote nothing, or it was ours. */
  find(id: string): CarrierStanding | null {
    const name = /^([0-9a-f]{16})-[0-9a-f]{32}$/.exec(id)?.[1]
    const { dir } = this.#options
    if (name === undefined || dir === null || name === this.#name) return null
    return standingIn(this.#linesOf(fileIn(dir, name)), id, this.#wallMs)
  }

  /** After a crash all calls of a file are asked about: it is read once. */
  #linesOf(file: string): readonly Line[] {
    const stat = statSync(file, { throwIfNoEntry: false })
    // Not written by a process like this one.
    if (!stat || stat.size > 4 * FILE_MAX_BYTES) return []
    const state = `${file} ${stat.size} ${stat.mtimeMs}`
    if (this.#read?.state !== state) this.#read = { state, lines: parsed(file) }
    return this.#read.lines
  }

  close(): void {
    if (this.#beats) clearInterval(this.#beats)
  }

  get #wallMs(): number {
    return (this.#options.wallMs ?? Date.now)()
  }

  #beat(): void {
    if (this.#live.size > 0) this.#write({ type: 'beat', wallMs: this.#wallMs })
    if (this.#bytes > FILE_MAX_BYTES) this.#compact()
  }

  /** Keeps the calls that go on. How the others ended was told long ago, or is remembered by the process. */
  #compact(): void {
    const lines: Line[] = [...this.#live].flatMap(([id, { placedMs, answeredMs }]) => [
      { type: 'placed', id, wallMs: placedMs },
      ...(answeredMs === null ? [] : [{ type: 'answered' as const, id, wallMs: answeredMs }]),
    ])
    const text = [...lines, { type: 'beat' as const, wallMs: this.#wallMs }].map(textOf).join('')
    this.#touch((file) => {
      writeFileSync(`${file}.new`, text, { mode: 0o600 })
      renameSync(`${file}.new`, file)
      this.#bytes = text.length
    })
  }

  #write(line: Line): void {
    const text = textOf(line)
    this.#touch((file) => {
      appendFileSync(file, text, { mode: 0o600 })
      this.#bytes += text.length
    })
  }

  /** A full disk must not end the calls: what cannot be written is only missing after a crash. */
  #touch(write: (file: string) => void): void {
    const { dir, onFailed } = this.#options
    if (dir === null) return
    try {
      write(fileIn(dir, this.#name))
    } catch (error) {
      onFailed(error)
    }
  }
}

const fileIn = (dir: string, name: string): string => join(dir, `${name}.jsonl`)
const textOf = (line: Line): string => `${JSON.stringify(line)}\n`

function prune(dir: string, nowMs: number): void {
  const files = readdirSync(dir).flatMap((name) => {
    const stat = /^[0-9a-f]{16}\.jsonl(?:\.new)?$/.test(name) && statSync(join(dir, name), { throwIfNoEntry: false })
    return stat ? [{ name, writtenMs: stat.mtimeMs }] : []
  })
  const old = files
    .toSorted((a, b) => b.writtenMs - a.writtenMs)
    .filter(({ writtenMs }, at) => at >= FILES_MAX || nowMs - writtenMs > AGE_MAX_MS)
  for (const { name } of old) rmSync(join(dir, name), { force: true })
}

/** Skips what a crash cut off. */
function parsed(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text) => {
      try {
        return Line.safeParse(JSON.parse(text)).data ?? []
      } catch {
        return []
      }
    })
}

function standingIn(lines: readonly Line[], id: string, nowMs: number): CarrierStanding | null {
  let placed = false
  let answeredMs: number | null = null
  let lastMs = 0
  for (const line of lines) {
    if (line.type === 'ended') {
      if (line.id === id) return { state: 'ended', ...line.end }
      continue
    }
    lastMs = Math.max(lastMs, line.wallMs)
    if (line.type === 'placed' && line.id === id) placed = true
    if (line.type === 'answered' && line.id === id) answeredMs = line.wallMs
  }
  if (!placed) return null
  const connectedMs = answeredMs === null ? 0 : Math.max(0, lastMs - answeredMs)
  if (nowMs - lastMs <= GONE_MS) return { state: 'live', connectedMs }
  return { state: 'ended', cause: 'dropped', connectedMs, code: null, cost: null }
}
