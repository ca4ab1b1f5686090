import { type VirtualClock, virtualClock } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { Counts } from '../options.ts'
import { Outbound } from './outbound.ts'
import { aStream } from '../testing-samples.ts'

const frame = new Uint8Array(160)

function anOutbound(clock: VirtualClock = virtualClock()) {
  const counts = new Counts()
  const [marks, digits]: [string[], string[]] = [[], []]
  const outbound = new Outbound({
    clock,
    counts,
    onMark: (name) => marks.push(name),
    onDigits: (keys) => digits.push(keys),
  })
  const attach = () => {
    const far = aStream(clock, { mark: (name) => outbound.marked(name) })
    far.socket.starts()
    outbound.attach(far.stream)
    return far.socket
  }
  return { clock, counts, marks, digits, outbound, attach }
}

describe('our sound', () => {
  it('waits in its order for a stream, at most a minute of it', () => {
    const { counts, outbound, attach } = anOutbound()
    for (let count = 0; count < 3100; count++) outbound.send(frame)
    outbound.mark('last')
    const socket = attach()
    expect([socket.events.length, socket.events.at(-1), counts.droppedFrames]).toEqual([3001, 'mark', 100])
  })

  it('tells marks by their own names, also where the same name comes twice', () => {
    const { marks, outbound, attach } = anOutbound()
    const socket = attach()
    outbound.mark('a')
    outbound.mark('a')
    expect(new Set(socket.marks).size).toBe(2)
    socket.returns(...socket.marks)
    expect(marks).toEqual(['a', 'a'])
  })
})

describe('clear()', () => {
  it('lets no mark be heard that comes back because of it, or that it met on the wire', () => {
    const { marks, outbound, attach } = anOutbound()
    const socket = attach()
    outbound.send(frame)
    outbound.mark('crossing')
    outbound.mark('pending')
    const pending = socket.marks
    outbound.clear()
    expect(socket.events.at(-1)).toBe('clear')
    outbound.mark('kept')
    socket.returns(...pending, ...socket.marks.slice(2))
    expect(marks).toEqual(['kept'])
  })

  it('drops what waits for a stream, but for digits', () => {
    const { digits, outbound, attach } = anOutbound()
    outbound.send(frame)
    outbound.mark('dropped')
    outbound.sendDigits('12')
    outbound.clear()
    const socket = attach()
    expect(socket.events).toEqual(['mark'])
    socket.returns(...socket.marks)
    expect(digits).toEqual(['12'])
  })
})

describe('digits', () => {
  it('are due when the sound before them was played, and hold up what is sent later', () => {
    const { marks, digits, outbound, attach } = anOutbound()
    const socket = attach()
    outbound.send(frame)
    outbound.sendDigits('1')
    outbound.send(frame)
    outbound.mark('behind')
    expect([socket.events, digits]).toEqual([['media', 'mark'], []])
    socket.returns(...socket.marks)
    expect([digits, outbound.isHeld, socket.events.length]).toEqual([['1'], true, 2])
    const next = attach()
    expect(next.events).toEqual([])
    outbound.resume()
    expect(next.events).toEqual(['media', 'mark'])
    next.returns(...next.marks)
    expect(marks).toEqual(['behind'])
  })

  it('that follow each other go out as one', () => {
    const { digits, outbound, attach } = anOutbound()
    for (const each of ['1', '2w', '#']) outbound.sendDigits(each)
    const socket = attach()
    socket.returns(...socket.marks)
    expect(digits).toEqual(['12w#'])
  })

  it('go out although the mark before them is lost', async () => {
    const { clock, digits, outbound, attach } = anOutbound()
    attach()
    for (let count = 0; count < 50; count++) outbound.send(frame)
    outbound.sendDigits('1')
    await clock.advance(3999)
    expect(digits).toEqual([])
    await clock.advance(1)
    expect(digits).toEqual(['1'])
  })

  it('are not taken beyond what TwiML holds', () => {
    const { counts, outbound, attach } = anOutbound()
    outbound.sendDigits('1'.repeat(501))
    const socket = attach()
    expect([socket.events, counts.lostDigits]).toEqual([[], 501])
  })
})
