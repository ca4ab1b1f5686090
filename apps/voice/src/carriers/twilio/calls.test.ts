import { machine, recorder, silent, tone } from '@parley/sandbox/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { Dialed, type Line, type LineOptions, startLine } from './testing.ts'

const lines: Line[] = []
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()))
})
const TO = '+12125550107'
const answers = (party = silent()) => ({
  answering: () => ({ type: 'answers', afterMs: 50, party: () => party }) as const,
})

async function aLine(options: LineOptions = {}): Promise<Line> {
  const line = await startLine({ ...options, far: { ...answers(), ...options.far } })
  lines.push(line)
  return line
}

/** Twilio counts begun seconds. */
const areSeconds = (ms: number) => ms >= 1000 && ms % 1000 === 0
const WHOLE = 'placed, ringing, answered, up, down, hung_up, ended remote'

describe.concurrent('an order', () => {
  it('goes out with its times, its callbacks and its stream', async () => {
    const line = await aLine()
    const call = new Dialed(line, TO, { answerTimeoutMs: 25_500, limitMs: 90_000 })
    await call.until('media')
    const { parameters, from, to } = call.far
    expect([from, to]).toEqual([line.far.number, TO])
    expect(Object.fromEntries(parameters)).toMatchObject({ Timeout: '26', TimeLimit: '90' })
    expect(parameters.getAll('StatusCallbackEvent')).toEqual(['initiated', 'ringing', 'answered', 'completed'])
    expect(parameters.get('StatusCallback')).toMatch(/^http:\/\/127.*\/carriers\/twilio\/calls\/[\w-]{32}\/status$/)
    expect(parameters.get('Twiml')).toMatch(
      /<Connect><Stream url="ws:\/\/127.*\/carriers\/twilio\/media\/[\w-]{32}"\/>/,
    )
    expect(parameters.has('MachineDetection')).toBe(false)
  })

  it('names its own caller where it has one, and asks for verdicts where they are wanted', async () => {
    const line = await aLine({ far: { numbers: ['+12025550000', '+12025550001'] } })
    const call = new Dialed(line, TO, { from: '+12025550001', detectMachine: true })
    await call.until('placed')
    expect(call.far.from).toBe('+12025550001')
    expect(Object.fromEntries(call.far.parameters)).toMatchObject({
      MachineDetection: 'DetectMessageEnd',
      AsyncAmd: 'true',
      AsyncAmdStatusCallback: expect.stringMatching(/\/amd$/),
    })
  })

  it('to what is no number, or without a public address, ends as failed before Twilio is asked', async () => {
    const line = await aLine()
    const call = new Dialed(line, 'sip:anybody@example.com')
    expect(await call.ended()).toMatchObject({ cause: 'failed', code: 'no_number', connectedMs: 0 })
    expect(line.far.calls).toEqual([])
  })

  it('is reached by wss where the service is reached by https', async () => {
    const line = await aLine()
    line.carrier.mount?.({
      publicUrl: 'https://voice.example.com/base',
      route: () => undefined,
      socket: () => () => undefined,
    })
    const call = new Dialed(line, TO)
    await call.until('placed')
    const { parameters } = call.far
    expect(parameters.get('Twiml')).toMatch(/<Stream url="wss:\/\/voice\.example\.com\/base\/carriers\/twilio\/media\//)
    expect(parameters.get('StatusCallback')).toMatch(/^https:\/\/voice\.example\.com\/base\/carriers\/twilio\/calls\//)
  })

  it('with an API key alone is placed as well', async () => {
    const line = await aLine()
    const { apiKey } = line.far
    const withKey = await aLine({
      carrier: { authToken: null, apiKey, accountSid: line.far.accountSid, apiBase: line.far.url },
    })
    const call = new Dialed(withKey, TO)
    await call.until('media')
    expect(line.far.calls).toHaveLength(1)
  })
})

describe.concurrent('the events of a call', () => {
  it('come once and in order', async () => {
    const call = new Dialed(await aLine(), TO)
    await call.until('frame', 10)
    call.far.hangUp()
    expect(await call.ended()).toMatchObject({ connectedMs: expect.toSatisfy(areSeconds), code: '200', cost: null })
    expect(call.story).toBe(WHOLE)
  })

  it('stay the same when every callback is doubled', async () => {
    const line = await aLine({ far: { ...answers(machine({ greeting: 'Hello' })), timing: { verdictMs: 1500 } } })
    line.far.faults.set('status', { how: 'doubled' }, { times: Infinity })
    line.far.faults.set('amd', { how: 'doubled' }, { times: Infinity })
    const call = new Dialed(line, TO, { detectMachine: true })
    await call.until('machine')
    call.far.hangUp()
    await call.ended()
    await call.pass(300)
    expect(call.story).toBe(WHOLE.replace('up, down', 'up, machine human, down'))
    expect(line.carrier.counts.ignoredCallbacks).toBeGreaterThanOrEqual(4)
  })

  it('stay the same when all callbacks but the last are lost', async () => {
    const line = await aLine()
    line.far.faults.set('status', { how: 'lost' }, { times: Infinity, on: ({ event }) => event !== 'completed' })
    const call = new Dialed(line, TO)
    await call.until('frame')
    call.far.hangUp()
    await call.ended()
    expect(call.story).toBe(WHOLE)
  })

  it('are not reversed when callbacks overtake each other', async () => {
    const line = await aLine()
    line.far.faults.set('status', { how: 'delayed', ms: 400 }, { times: 2, on: ({ event }) => event !== 'completed' })
    const call = new Dialed(line, TO)
    await call.until('frame')
    call.far.hangUp()
    await call.ended()
    await call.pass(500)
    expect(call.story).toBe(WHOLE)
  })

  it('end with the stream where the last callback is lost, and ask() tells the rest', async () => {
    const line = await aLine()
    line.far.faults.set('status', { how: 'lost' }, { times: Infinity, on: ({ event }) => event === 'completed' })
    const call = new Dialed(line, TO)
    await call.until('frame')
    call.far.hangUp()
    await call.until('hung_up')
    expect(call.types).not.toContain('ended')
    const told = await line.carrier.ask(call.far.sid, new AbortController().signal)
    expect(told).toMatchObject({ state: 'ended', cause: 'remote', connectedMs: expect.toSatisfy(areSeconds) })
    expect(call.story).toBe(WHOLE)
  })

  it('come by asking where no callback of a ringing call arrives', async () => {
    const line = await aLine({
      far: { answering: () => ({ type: 'no_answer', afterMs: 300 }) },
      carrier: { waits: { quietMs: 400 } },
    })
    line.far.faults.set('status', { how: 'lost' }, { times: Infinity })
    const call = new Dialed(line, TO)
    expect(await call.ended()).toMatchObject({ cause: 'no_answer', connectedMs: 0 })
  })

  it.each([
    ['busy', { type: 'busy' }, 'busy', '486'],
    ['no answer', { type: 'no_answer', afterMs: 50 }, 'no_answer', '480'],
    ['a number that does not exist', { type: 'fails', sipCode: 404 }, 'not_in_service', '404'],
    ['a network that fails', { type: 'fails', sipCode: 503 }, 'failed', '503'],
  ] as const)('end as what they were: %s', async (_, pickup, cause, code) => {
    const call = new Dialed(await aLine({ far: { answering: () => pickup } }), TO)
    expect(await call.ended()).toMatchObject({ cause, code, connectedMs: 0 })
    expect(call.types).not.toContain('answered')
  })
})

describe.concurrent('a verdict', () => {
  it('tells a machine and its beep, since the answer', async () => {
    const line = await aLine({
      far: {
        answering: () => ({
          type: 'answers',
          afterMs: 20,
          answeredBy: 'machine_end_beep',
          party: () => machine({ greeting: 'Hello', beepMs: 200 }),
        }),
      },
    })
    const call = new Dialed(line, TO, { detectMachine: true })
    await call.until('machine', 2)
    const answeredMs = call.events.find(({ event }) => event.type === 'answered')?.atMs ?? 0
    const lateMs = call.events.flatMap(({ event, atMs }) =>
      event.type === 'machine' ? [Math.abs(event.atMs - (atMs - answeredMs))] : [],
    )
    expect(Math.max(...lateMs)).toBeLessThan(1000)
    expect(call.of('machine').map(({ verdict }) => verdict)).toEqual(['machine', 'beep'])
  })
})

describe.concurrent('sound', () => {
  it('comes from the callee and goes to it', async () => {
    const heard = recorder(tone(440))
    const call = new Dialed(await aLine({ far: answers(heard) }), TO)
    await call.until('media')
    const ours = Uint8Array.from({ length: 160 }, (_, at) => (at % 8 < 4 ? 0x9f : 0x1f))
    for (let count = 0; count < 5; count++) call.leg.send({ audio: ours })
    call.leg.mark('said')
    await call.until('mark')
    await call.until('frame', 20)
    expect(heard.heard.slice(0, 5).map(({ audio }) => Buffer.from(audio))).toEqual(Array(5).fill(Buffer.from(ours)))
    const times = call.of('frame').map(({ mediaMs }) => mediaMs)
    expect(times).toEqual(times.map((_, at) => at * 20))
    expect(new Set(call.of('frame')[10]?.frame.audio).size).toBeGreaterThan(5)
  })

  it('skips lost frames by whole frames', async () => {
    const line = await aLine({ far: answers(tone(440)) })
    line.far.faults.set('stream', { how: 'gaps', every: 5 })
    const call = new Dialed(line, TO)
    await call.until('frame', 12)
    expect(
      call
        .of('frame')
        .map(({ mediaMs }) => mediaMs)
        .slice(0, 8),
    ).toEqual([0, 20, 40, 60, 100, 120, 140, 160])
  })

  it('tells the digits that the callee presses', async () => {
    const call = new Dialed(await aLine(), TO)
    await call.until('frame')
    call.far.press('4#')
    await call.until('digit', 2)
    expect(call.of('digit').map(({ digit }) => digit)).toEqual(['4', '#'])
  })

  it('that was sent too early is dropped with its marks by clear()', async () => {
    const heard = recorder()
    const call = new Dialed(await aLine({ far: answers(heard) }), TO)
    await call.until('media')
    for (let count = 0; count < 100; count++) call.leg.send({ audio: new Uint8Array(160) })
    call.leg.mark('dropped')
    await call.pass(200)
    call.leg.clear()
    call.leg.mark('kept')
    await call.until('mark')
    await call.pass(300)
    expect(call.of('mark').map(({ name }) => name)).toEqual(['kept'])
    expect(heard.heard.length).toBeLessThan(40)
    expect(call.far.streams[0]?.clears).toBe(1)
  })

  it('that breaks ends the call at Twilio too, as dropped', async () => {
    const line = await aLine()
    line.far.faults.set('stream', { how: 'dropped', afterMs: 100, callGoesOn: true })
    const call = new Dialed(line, TO)
    expect(await call.ended()).toMatchObject({ cause: 'dropped' })
    expect([call.far.status, line.carrier.counts.lostStreams]).toEqual(['completed', 1])
  })

  it('that never comes ends the call as dropped', async () => {
    const line = await aLine({ carrier: { waits: { streamMs: 200 } } })
    line.far.faults.set('stream', { how: 'slow_open', ms: 60_000 })
    const call = new Dialed(line, TO)
    expect(await call.ended()).toMatchObject({ cause: 'dropped', code: 'no_media' })
    expect(call.story).toBe('placed, ringing, answered, hung_up, ended dropped')
  })
})
