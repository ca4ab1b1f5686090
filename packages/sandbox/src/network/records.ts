import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
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
import type { CarrierStanding, Clock, LegEnd } from '@parley/voice-ports'
import { z } from 'zod'

const BEAT_MS = 250
/** A process without a beat for longer is gone, and its calls with it. */
const GONE_MS = 2000
const FILE_MAX_BYTES = 1024 * 1024
const ENDED_MAX = 5000
const FILES_MAX = 100
const FILE_AGE_MAX_MS = 24 * 3_600_000

/** The wall clock: other processes know no other. */
export interface Wall {
  nowMs(): number
  /** Returns its end. */
  every(ms: number, task: () => void): () => void
}

export const systemWall: Wall = {
  nowMs: () => Date.now(),
  every(ms, task) {
    const timer = setInterval(task, ms).unref()
    return () => clearInterval(timer)
  },
}

/** callMs is the clock of the calls, which runs `speed` times as fast as the wall clock. */
const Line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('process'), pid: z.int(), speed: z.number() }),
  z.object({ type: z.literal('placed'), id: z.string(), wallMs: z.number(), callMs: z.number() }),
  z.object({ type: z.literal('answered'), id: z.string(), callMs: z.number() }),
  z.object({ type: z.literal('beat'), wallMs: z.number(), callMs: z.number() }),
  z.object({ type: z.literal('ended'), id: z.string(), end: CarrierEnd }),
])
type Line = z.infer<typeof Line>

interface RecordsOptions {
  readonly dir: string
  readonly wall: Wall
  /** Another process took the call for over, or hung it up. */
  readonly onTakenForOver: (id: string) => void
}

/**
 * The call records of a simulated network: they answer for a process that is gone. Each process appends to a file of
 * its own; the id of a call names the file.
 */
export class CallRecords {
  readonly #options: RecordsOptions
  readonly #name = `${process.pid.toString(36)}x${randomBytes(6).toString('hex')}`
  readonly #live = new Map<string, { readonly placed: Line; answered: Line | null }>()
  readonly #ended = new Map<string, LegEnd>()
  /** All legs of a network live on one clock, though each session wraps it. */
  #clock: Clock | null = null
  #calls = 0
  #bytes = 0
  #stopBeating: (() => void) | null = null
  #failed = false

  constructor(options: RecordsOptions) {
    this.#options = options
    mkdirSync(options.dir, { recursive: true, mode: 0o700 })
    this.#prune()
  }

  /** The id of a new call. */
  place(clock: Clock): string {
    const id = `SIM-${this.#name}-${++this.#calls}`
    if (!this.#clock) this.#write({ type: 'process', pid: process.pid, speed: clock.speed })
    this.#clock ??= clock
    const placed: Line = { type: 'placed', id, wallMs: this.#options.wall.nowMs(), callMs: this.#callMs }
    this.#live.set(id, { placed, answered: null })
    this.#write(placed)
    this.#stopBeating ??= this.#options.wall.every(BEAT_MS, () => this.#beat())
    return id
  }

  answered(id: string): void {
    const call = this.#live.get(id)
    if (!call) return
    call.answered = { type: 'answered', id, callMs: this.#callMs }
    this.#write(call.answered)
  }

  ended(id: string, end: LegEnd): void {
    if (!this.#live.delete(id)) return
    this.#ended.set(id, end)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > ENDED_MAX && oldest !== undefined) this.#ended.delete(oldest)
    this.#write({ type: 'ended', id, end })
    if (this.#live.size === 0) this.#rest()
  }

  /** What is known about a call of another process, or an ended one of this process. */
  standing(id: string): CarrierStanding | null {
    const end = this.#ended.get(id)
    if (end) return { state: 'ended', ...end }
    const name = nameIn(id)
    if (name === null || name === this.#name) return null
    const standing = standingIn(linesOf(this.#fileOf(name)), id, this.#options.wall.nowMs())
    // A process that was only stopped for a while has to learn that its call is over.
    if (standing?.state === 'ended' && standing.cause === 'dropped') this.takeForOver(id)
    return standing
  }

  /** Tells the process that has the call. */
  takeForOver(id: string): void {
    const name = nameIn(id)
    if (name !== null && name !== this.#name && existsSync(this.#fileOf(name)))
      appendFileSync(this.#toldFileOf(name), `${id}\n`)
  }

  close(): void {
    this.#rest()
  }

  get #callMs(): number {
    return Math.round(this.#clock?.nowMs() ?? 0)
  }

  #rest(): void {
    this.#stopBeating?.()
    this.#stopBeating = null
  }

  #beat(): void {
    this.#write({ type: 'beat', wallMs: this.#options.wall.nowMs(), callMs: this.#callMs })
    const told = this.#toldFileOf(this.#name)
    if (existsSync(told)) {
      for (const id of readFileOr(told).split('\n')) if (this.#live.has(id)) this.#options.onTakenForOver(id)
      rmSync(told, { force: true })
    }
    if (this.#bytes > FILE_MAX_BYTES) this.#compact()
  }

  #compact(): void {
    const lines: Line[] = [{ type: 'process', pid: process.pid, speed: this.#clock?.speed ?? 1 }]
    for (const { placed, answered } of this.#live.values()) lines.push(placed, ...(answered ? [answered] : []))
    for (const [id, end] of this.#ended) lines.push({ type: 'ended', id, end })
    lines.push({ type: 'beat', wallMs: this.#options.wall.nowMs(), callMs: this.#callMs })
    const text = lines.map(textOf).join('')
    const file = this.#fileOf(this.#name)
    writeFileSync(`${file}.new`, text, { mode: 0o600 })
    renameSync(`${file}.new`, file)
    this.#bytes = text.length
  }

  /** A disk that is full must not end the calls: what cannot be written is only missing after a crash. */
  #write(line: Line): void {
    try {
      const text = textOf(line)
      appendFileSync(this.#fileOf(this.#name), text, { mode: 0o600 })
      this.#bytes += text.length
    } catch (error) {
      if (!this.#failed) process.emitWarning(`Call records of the simulated network are not written: ${String(error)}`)
      this.#failed = true
    }
  }

  #fileOf(name: string): string {
    return join(this.#options.dir, `${name}.jsonl`)
  }

  #toldFileOf(name: string): string {
    return join(this.#options.dir, `${name}.over`)
  }

  #prune(): void {
    const { dir, wall } = this.#options
    const files = readdirSync(dir).flatMap((name) => {
      const stat = statSync(join(dir, name), { throwIfNoEntry: false })
      return stat ? [{ name, writtenMs: stat.mtimeMs }] : []
    })
    const kept = files
      .filter(({ writtenMs }) => wall.nowMs() - writtenMs < FILE_AGE_MAX_MS)
      .toSorted((a, b) => b.writtenMs - a.writtenMs)
      .slice(0, FILES_MAX)
    for (const file of files) if (!kept.includes(file)) rmSync(join(dir, file.name), { force: true })
  }
}

const textOf = (line: Line) => `${JSON.stringify(line)}\n`

/** The file that an id names; null: no id of ours. */
const nameIn = (id: string): string | null => /^SIM-([a-z0-9]+x[a-f0-9]{12})-\d+$/.exec(id)?.[1] ?? null

function readFileOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Skips a last line that a crash cut off. */
function linesOf(file: string): Line[] {
  return readFileOr(file)
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
  let placed: Extract<Line, { type: 'placed' }> | null = null
  let answeredMs: number | null = null
  let last: { readonly wallMs: number; readonly callMs: number } | null = null
  for (const line of lines) {
    if (line.type === 'ended' && line.id === id) return { state: 'ended', ...line.end }
    if (line.type === 'placed' && line.id === id) placed = line
    if (line.type === 'answered' && line.id === id) answeredMs = line.callMs
    if (line.type === 'beat' || line.type === 'placed') last = line
  }
  if (!placed || !last) return null
  const connectedMs = answeredMs === null ? 0 : Math.max(0, last.callMs - answeredMs)
  if (nowMs - last.wallMs <= GONE_MS) return { state: 'live', connectedMs }
  return { state: 'ended', cause: 'dropped', connectedMs, code: '503', cost: null }
}
