import { describe, expect, it } from 'vitest'
import { stageCall } from '../testing/staged-call.ts'

/** A call that was stopped by the user 10 s after its answer, on a network with faults. */
async function stopped(faults: (far: ReturnType<typeof stageCall>['far']) => void, forMs = 10_000) {
  const call = stageCall()
  await call.answer()
  await call.clock.advance(forMs)
  faults(call.far)
  call.session.stop('stopped')
  await call.clock.advance(100)
  return call
}

describe('a hang-up that the carrier does not confirm', () => {
  it('is tried again before the end of the call is booked', async () => {
    const call = await stopped((far) => (far.failedHangUps = 1))
    await call.clock.advance(4800)
    expect(call.ended()).toBeUndefined()
    await call.over()
    expect(call.far.hangUps).toBe(2)
    expect(call.ended()).toMatchObject({ reason: 'stopped', connectedSeconds: expect.closeTo(15, 1) })
  })

  it('is tried by the id of the call after the leg has failed twice', async () => {
    const call = await stopped((far) => (far.failedHangUps = 2))
    await call.over()
    expect([call.far.hangUps, call.far.hangUpsById]).toEqual([2, 1])
    expect(call.ended()).toMatchObject({ reason: 'stopped', connectedSeconds: expect.closeTo(20, 1) })
  })

  it('is tried by id while the carrier says that the call is live', async () => {
    const call = await stopped((far) => (far.failedHangUps = 6))
    await call.over()
    expect(call.far.asked).toBeGreaterThan(0)
    expect(call.far.hangUpsById).toBe(5)
    expect(call.ended()).toMatchObject({ reason: 'stopped' })
  })

  it('ends the call here after the budget, with no second beyond the sound that came', async () => {
    const call = await stopped((far) => {
      far.ignoresHangUps = far.isMute = far.dtx = true
    })
    await call.over()
    const asked = call.far.asked
    expect(asked).toBeGreaterThan(5)
    expect(asked).toBeLessThan(15)
    expect(call.ended()).toMatchObject({ reason: 'stopped', connectedSeconds: expect.closeTo(10, 1) })
    await call.clock.advance(600_000)
    expect(call.far.asked).toBe(asked)
  })

  it('leaves nobody to be spoken to meanwhile', async () => {
    const call = await stopped((far) => (far.ignoresHangUps = true), 1000)
    const { framesHeard } = call.far
    await call.clock.advance(10_000)
    expect(call.far.framesHeard).toBe(framesHeard)
  })
})

describe('a duration that does not come', () => {
  it('is asked for, and the call ends with the count of the carrier', async () => {
    const call = await stopped((far) => (far.losesEnded = true))
    await call.clock.advance(4000)
    expect(call.ended()).toBeUndefined()
    await call.over()
    expect(call.far.asked).toBe(1)
    expect(call.ended()).toMatchObject({ reason: 'stopped', connectedSeconds: 10 })
  })

  it('is asked for again with back-off while the carrier cannot be reached', async () => {
    const call = await stopped((far) => (far.losesEnded = far.isMute = true))
    await call.clock.advance(5000 + 10_000)
    expect(call.far.asked).toBe(4)
    call.far.isMute = false
    await call.over()
    expect(call.ended()).toMatchObject({ connectedSeconds: 10 })
  })

  it('is asked for after the callee hung up', async () => {
    const call = stageCall()
    await call.opened()
    call.far.losesEnded = true
    call.far.end('remote')
    await call.over()
    expect(call.ended()).toMatchObject({ reason: 'callee_hung_up' })
  })

  it('is asked for in requests that are given up when the carrier does not answer', async () => {
    const call = await stopped((far) => {
      far.losesEnded = true
      far.ask = () => (far.asked++, new Promise(() => undefined))
    })
    await call.over()
    expect(call.far.asked).toBeGreaterThan(3)
    expect(call.ended()).toMatchObject({ reason: 'stopped', connectedSeconds: expect.closeTo(10, 1) })
  })
})

describe('a leg', () => {
  it('is dialed with its limit and its number, and its id is reported at once', async () => {
    const call = stageCall({ order: { from: '+12125550000', limitSeconds: 90 } })
    await call.clock.advance(100)
    expect(call.far.dialed).toMatchObject({ from: '+12125550000', limitMs: 90_000, detectMachine: true })
    expect(call.facts()).toMatchObject([{ type: 'dialing' }, { type: 'placed', carrierCallId: 'far-1' }])
  })

  it('that changes over to another carrier is reported and asked about by its last id', async () => {
    const call = stageCall()
    await call.clock.advance(200)
    call.far.changeOver('other:2')
    call.far.losesEnded = true
    call.far.end('busy')
    await call.over()
    expect(call.facts().filter(({ type }) => type === 'placed')).toMatchObject([
      { carrierCallId: 'far-1' },
      { carrierCallId: 'other:2' },
    ])
    expect(new Set(call.far.askedAbout)).toEqual(new Set(['other:2']))
    expect(call.ended()).toMatchObject({ reason: 'busy' })
  })

  it('gets digits and numbers only where they are such and the carrier can send them', async () => {
    const call = stageCall()
    await call.opened()
    call.session.press('1<Play/>')
    expect(call.session.transfer('+1212555"/><Dial>')).toBe(false)
    call.session.press('12#')
    expect(call.session.transfer('+12125550107')).toBe(true)
    expect([call.far.digits, call.far.transferredTo]).toEqual(['12#', '+12125550107'])
    call.far.capabilities = { ...call.far.capabilities, digits: false, transfer: false }
    call.session.press('3')
    expect(call.session.transfer('+12125550108')).toBe(false)
    expect([call.far.digits, call.far.transferredTo]).toEqual(['12#', '+12125550107'])
  })

  it('that was transferred ends as closed by the agent', async () => {
    const call = stageCall()
    await call.opened()
    call.session.transfer('+12125550107')
    call.far.end('transferred')
    await call.over()
    expect(call.ended()).toMatchObject({ reason: 'agent_closed' })
  })
})
