import { virtualClock } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { Settling } from './settling.ts'

/** What became of a finalize() whose answer is due after 800 ms. */
function asked() {
  const clock = virtualClock()
  const reads: (() => void)[] = []
  const told: string[] = []
  const settling = new Settling(
    { ...clock, whenRead: (task) => void reads.push(task) },
    800,
    () => void told.push('settled'),
    () => void told.push('late'),
  )
  settling.ask(1000)
  const read = () => reads.splice(0).forEach((task) => task())
  return { clock, settling, told, read }
}

describe('a finalize()', () => {
  it('whose words come in time is settled by them', async () => {
    const { clock, settling, told, read } = asked()
    await clock.advance(700)
    settling.coveredUntil(1000)
    await clock.advance(200)
    read()
    expect(told).toEqual(['settled'])
  })

  it('whose words wait at the socket after a stall is settled by them', async () => {
    const { clock, settling, told, read } = asked()
    await clock.advance(900)
    expect(told).toEqual([])
    settling.coveredUntil(1000)
    read()
    expect(told).toEqual(['settled'])
  })

  it('that is not answered is settled late', async () => {
    const { clock, told, read } = asked()
    await clock.advance(800)
    read()
    expect(told).toEqual(['late', 'settled'])
  })

  it('of a connection that closes is not settled', async () => {
    const { clock, settling, told, read } = asked()
    await clock.advance(800)
    settling.close()
    read()
    expect(told).toEqual([])
  })
})
