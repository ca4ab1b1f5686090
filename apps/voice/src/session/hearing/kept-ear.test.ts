import { type Ear, type EarEvent, type Frame, type ListenOptions, silentFrame, virtualClock } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { quietLog } from '../testing/fakes.ts'
import { type Heard, KeptEar } from './kept-ear.ts'

/** An ear that a test plays: what each connection was given, and what it says. */
class PlayedEar implements Ear {
  readonly name: string
  readonly settlesWithinMs = 300
  readonly turns = false
  readonly connections: { readonly options: ListenOptions; readonly got: string[]; tell(event: EarEvent): void }[] = []
  /** Connections become ready by themselves. */
  answers = true

  constructor(name: string) {
    this.name = name
  }

  listen(options: ListenOptions, _: unknown, tell: (event: EarEvent) => void) {
    const got: string[] = []
    this.connections.push({ options, got, tell })
    if (this.answers) tell({ type: 'ready' })
    return {
      push: ({ audio, text }: Frame) =>
        void got.push(text ?? (audio.every((code) => code === 0xff) ? '·' : `${audio[0]}`)),
      finalize: () => void got.push('finalize'),
      setLanguage: (language: string) => void got.push(language),
      close: () => void got.push('close'),
    }
  }

  /** The newest connection. */
  get now() {
    return this.connections.at(-1)!
  }

  says(text: string, final = false): void {
    this.now.tell({ type: 'words', text, final, atMs: 0 })
  }

  fails(details: { readonly retryable?: boolean; readonly retryAfterMs?: number } = {}): void {
    this.now.tell({ type: 'failed', message: 'Lost.', retryable: true, retryAfterMs: null, ...details })
  }
}

function keep(...names: string[]) {
  const clock = virtualClock()
  const ears = (names.length === 0 ? ['first'] : names).map((name) => new PlayedEar(name))
  const heard: Heard[] = []
  const call = {
    language: 'en',
    isSpeaking: true,
    lost: 0,
    broken: 0,
    ready: [] as string[],
    fedMs: {} as Record<string, number>,
  }
  const kept = new KeptEar({
    ears,
    clock,
    log: quietLog(),
    after: (delayMs, task) => void clock.after(delayMs, task),
    language: () => call.language,
    keyterms: ['Braun'],
    onEvent: (event) => void heard.push(event),
    onReady: ({ name }) => void call.ready.push(name),
    onFed: ({ name }, ms) => void (call.fedMs[name] = (call.fedMs[name] ?? 0) + ms),
    onBroken: () => void call.broken++,
    onLost: () => void call.lost++,
  })
  kept.open()
  const push = (...texts: string[]) =>
    texts.forEach((text) => kept.push({ ...silentFrame(), text }, call.isSpeaking, -20))
  const texts = () => heard.flatMap((event) => (event.type === 'words' ? [event.text] : []))
  const [first, second] = ears
  return { clock, kept, heard, texts, push, call, first: first!, second: second! }
}

describe('a kept ear', () => {
  it('tells how much sound each ear was given, every second and at its end', () => {
    const { kept, push, call } = keep()
    push(...Array.from({ length: 52 }, (_, nth) => `word ${nth}`))
    expect(call.fedMs).toEqual({ first: 1000 })
    kept.close()
    push('too late')
    expect(call.fedMs).toEqual({ first: 1040 })
  })

  it('tells what a broken ear was given, and then what its successor hears again', () => {
    const { push, call, first } = keep('first', 'second')
    push('one', 'two', 'three')
    first.fails({ retryable: false })
    expect(call.fedMs).toEqual({ first: 60 })
    push(...Array.from({ length: 47 }, (_, nth) => `word ${nth}`))
    expect(call.fedMs).toEqual({ first: 60, second: 1000 })
  })

  it('gives language, key terms and a signal, which closing aborts', () => {
    const { first, kept } = keep()
    const { options } = first.now
    expect(options).toMatchObject({ language: 'en', keyterms: ['Braun'] })
    kept.close()
    expect(options.signal.aborted).toBe(true)
    expect(first.now.got).toEqual(['close'])
  })

  it('keeps frames and finalize until the ear is ready', async () => {
    const { clock, kept, first, push } = keep()
    first.answers = false
    first.fails()
    await clock.advance(500)
    push('a', 'b')
    kept.finalize()
    push('c')
    expect(first.now.got).toEqual([])
    first.now.tell({ type: 'ready' })
    expect(first.now.got).toEqual(['a', 'b', 'finalize', 'c'])
  })

  it('repeats sound to a new ear, and silence in place of what is too faint for a voice', async () => {
    const { clock, kept, first, push } = keep()
    const frame = (code: number): Frame => ({ audio: new Uint8Array(160).fill(code) })
    kept.push(frame(64), true, -20)
    kept.push(frame(126), true, -58.1)
    kept.push(frame(65), true, -57.9)
    push('faint words')
    expect(first.now.got).toEqual(['64', '126', '65', 'faint words'])
    first.fails()
    await clock.advance(500)
    expect(first.now.got).toEqual(['64', '·', '65', 'faint words'])
  })

  it('takes an ear that is not ready after 5 s for a failed one', async () => {
    const { clock, first, call } = keep('dead', 'second')
    first.answers = false
    first.fails()
    await clock.advance(500 + 5000)
    expect(call).toMatchObject({ ready: ['dead', 'second'], broken: 2 })
  })

  it('passes a change of language on, also to an ear that was not ready yet', async () => {
    const { clock, kept, first, call } = keep()
    kept.setLanguage('es')
    first.fails()
    call.language = 'fr'
    await clock.advance(500)
    expect(first.connections[0]!.got).toContain('es')
    expect(first.now.options.language).toBe('fr')
  })

  it('reports settled when every finalize was answered', () => {
    const { kept, first, heard } = keep()
    kept.finalize()
    kept.finalize()
    first.now.tell({ type: 'settled' })
    expect(heard).toEqual([])
    first.now.tell({ type: 'settled' })
    expect(heard).toEqual([{ type: 'settled', isBehind: false }])
    first.now.tell({ type: 'settled' })
    expect(heard).toHaveLength(1)
  })
})

describe('a new connection', () => {
  it('hears again what was not final, also what was said during the break', async () => {
    const { clock, first, push } = keep()
    push('a', 'b')
    first.says('A b', true)
    push('c', 'd')
    first.says('C')
    first.fails()
    push('e')
    await clock.advance(500)
    push('f')
    expect(first.now.got).toEqual(['c', 'd', 'e', 'f'])
  })

  it('is told to finalize where the broken one was, and is behind until it has settled all', async () => {
    const { clock, kept, first, heard, push } = keep()
    push('a')
    kept.finalize()
    push('b')
    first.fails()
    await clock.advance(500)
    expect(first.now.got).toEqual(['a', 'finalize', 'b'])
    first.now.tell({ type: 'settled' })
    expect(heard).toEqual([{ type: 'settled', isBehind: true }])
    kept.finalize()
    first.now.tell({ type: 'settled' })
    expect(heard.at(-1)).toEqual({ type: 'settled', isBehind: false })
  })

  it('hears again what follows a late final', async () => {
    const { clock, kept, first, push } = keep()
    push('a')
    kept.finalize()
    push('b')
    first.says('A', true)
    first.fails()
    await clock.advance(500)
    expect(first.now.got).toEqual(['finalize', 'b'])
  })

  it('does not take words back that were heard before the break', async () => {
    const { clock, first, texts, push } = keep()
    push('we', 'have', 'a')
    first.says('We have a')
    first.fails()
    await clock.advance(500)
    first.says('We')
    first.says('We have a table')
    expect(texts()).toEqual(['We have a', 'We have a table'])
  })

  it('hears 10 s again at most, and the words of longer ones stay', async () => {
    const { clock, first, heard, push } = keep()
    for (let frame = 0; frame < 600; frame++) push(`${frame}`)
    first.now.tell({ type: 'words', text: 'A long story', final: false, atMs: clock.nowMs() })
    await clock.advance(20)
    push('next')
    first.fails()
    expect(heard.at(-1)).toMatchObject({ type: 'words', text: 'A long story', final: true })
    await clock.advance(500)
    expect(first.now.got).toEqual(['next'])
    for (let frame = 0; frame < 600; frame++) push('·')
    first.fails()
    await clock.advance(1000)
    expect(first.now.got).toHaveLength(500)
  })

  it('hears only the last second of silence again', async () => {
    const { clock, first, push, call } = keep()
    call.isSpeaking = false
    for (let frame = 0; frame < 200; frame++) push('·')
    first.fails()
    await clock.advance(500)
    expect(first.now.got).toHaveLength(50)
  })

  it('ignores the broken one', async () => {
    const { clock, first, texts } = keep()
    const broken = first.now
    first.fails()
    await clock.advance(500)
    broken.tell({ type: 'words', text: 'Late', final: true, atMs: 0 })
    expect(texts()).toEqual([])
  })
})

describe('a failed ear', () => {
  it('is opened again when it says, not sooner', async () => {
    const { clock, first } = keep()
    first.fails({ retryAfterMs: 3000 })
    await clock.advance(2999)
    expect(first.connections).toHaveLength(1)
    await clock.advance(1)
    expect(first.connections).toHaveLength(2)
  })

  it('that asks for more than 15 s is given up', () => {
    const { first, call } = keep()
    first.fails({ retryAfterMs: 60_000 })
    expect(call.lost).toBe(1)
  })

  it('is not opened again when that is of no use', async () => {
    const { clock, first, call } = keep()
    first.fails({ retryable: false })
    await clock.advance(60_000)
    expect(first.connections).toHaveLength(1)
    expect(call.lost).toBe(1)
  })

  it('is replaced by the next after two failures, with its words', async () => {
    const { clock, first, second, push, call } = keep('first', 'second')
    push('a')
    first.fails()
    await clock.advance(500)
    first.fails()
    expect(call).toMatchObject({ ready: ['first', 'first', 'second'], lost: 0, broken: 2 })
    expect(second.now.got).toEqual(['a'])
  })

  it('is replaced at once when another attempt is of no use', () => {
    const { first, second, call } = keep('first', 'second')
    first.fails({ retryable: false })
    expect(second.connections).toHaveLength(1)
    expect(call.lost).toBe(0)
  })

  it('has its budget back after words, or after a minute', async () => {
    const { clock, first, call } = keep()
    for (let times = 0; times < 8; times++) {
      first.says('Yes', true)
      first.fails()
      await clock.advance(500)
    }
    for (let times = 0; times < 8; times++) {
      await clock.advance(61_000)
      first.fails()
      await clock.advance(500)
    }
    expect(call.lost).toBe(0)
  })

  it('that closes for good is lost once', async () => {
    const { clock, first, call } = keep()
    for (let times = 0; times < 8 && call.lost === 0; times++) {
      first.fails()
      await clock.advance(8000)
    }
    expect(first.connections).toHaveLength(6)
    expect(call.lost).toBe(1)
  })
})
