import { ANSWER_MS, answered, BILLED_MS, Call, demand, type Make } from './carrier-call.ts'

/** What a carrier promises about the end of a leg, about asking for it, and about what is optional. */
export const endChecks = {
  async 'hangUp() ends the leg once with the connected time'(make: Make) {
    const call = await answered(make)
    await call.under.advance(3000)
    const connectedMs = call.under.clock.nowMs() - (call.all('answered')[0]?.atMs ?? 0)
    call.leg.hangUp()
    await call.hangUp()
    const counted = await call.end('local')
    demand(
      Math.abs(counted.connectedMs - connectedMs) <= 1 + call.under.toleranceMs * 4,
      `${connectedMs} ms were counted as ${counted.connectedMs}`,
    )
  },

  async 'hung_up comes once and before ended'(make: Make) {
    const call = await answered(make)
    await call.hangUp()
    const hungUpAt = call.types.indexOf('hung_up')
    demand(hungUpAt >= 0, 'hung_up did not come')
    const endedAt = call.types.indexOf('ended')
    demand(endedAt < 0 || hungUpAt < endedAt, 'hung_up came after ended')
    await call.end('local')
  },

  async 'methods do nothing after the end of the leg'(make: Make) {
    const call = await answered(make)
    await call.hangUp()
    call.leg.mark('late')
    call.leg.sendDigits('1')
    call.leg.transfer(call.under.numbers.answers)
    call.leg.clear()
    await call.hangUp()
    await call.end('local')
    demand(call.all('mark').length === 0, 'a mark came after ended')
  },

  async 'methods are safe before the answer, and hangUp() cancels'(make: Make) {
    const under = await make()
    const call = new Call(under, under.numbers.noAnswer)
    call.leg.mark('early')
    call.leg.sendDigits('1')
    call.leg.transfer(under.numbers.answers)
    call.leg.clear()
    await call.until('ringing', ANSWER_MS)
    call.leg.hangUp()
    await call.hangUp()
    await under.advance(BILLED_MS)
    demand((await call.end('canceled')).connectedMs === 0, 'time was counted without an answer')
    demand(call.all('mark').length === 0, 'a mark came without an answer')
  },

  async 'a busy and an unanswered leg end as such with 0 ms connected'(make: Make) {
    const under = await make()
    const busy = new Call(under, under.numbers.busy)
    await busy.until('hung_up', ANSWER_MS)
    await under.advance(BILLED_MS)
    demand((await busy.end('busy')).connectedMs === 0, 'a busy leg was counted as connected')
    const alone = new Call(under, under.numbers.noAnswer, { answerTimeoutMs: 3000 })
    await alone.until('hung_up', ANSWER_MS)
    await under.advance(BILLED_MS)
    demand((await alone.end('no_answer')).connectedMs === 0, 'ringing was counted as connected')
  },

  async 'the carrier ends a leg at limitMs'(make: Make) {
    const call = await answered(make, { limitMs: 5000 })
    const { toleranceMs } = call.under
    await call.under.advance(5000 + BILLED_MS)
    demand(call.all('hung_up').length === 1, 'a leg went on beyond limitMs')
    const { connectedMs } = await call.end('local')
    demand(connectedMs <= 5001 + toleranceMs * 4, `${connectedMs} ms were connected within limitMs 5000`)
  },

  async 'ask() tells a live leg and its end, also where `ended` is lost'(make: Make) {
    const call = await answered(make)
    await call.under.advance(2000)
    const live = await call.ask(call.carrierCallId)
    demand(live?.state === 'live', `ask() told ${live?.state ?? 'nothing'} about a live leg`)
    await call.hangUp()
    const told = await call.ask(call.carrierCallId)
    if (told?.state !== 'ended') throw new Error('ask() does not tell the duration of an ended leg')
    const end = await call.end('local')
    demand(
      told.connectedMs === end.connectedMs && told.cause === end.cause,
      `ask() told ${told.cause}, ${told.connectedMs} ms where ended had ${end.cause}, ${end.connectedMs} ms`,
    )
  },

  async 'ask() tells nothing about a call that the carrier does not know'(make: Make) {
    const call = await answered(make)
    demand((await call.ask('no-such-call')) === null, 'ask() told something about an unknown call')
    demand((await call.ask('../no-such-call')) === null, 'ask() told something about a path')
  },

  async 'hangUp() by id ends a live leg, and does nothing with an ended or unknown one'(make: Make) {
    const call = await answered(make)
    const { signal } = new AbortController()
    await call.under.carrier.hangUp(call.carrierCallId, signal)
    await call.under.advance(BILLED_MS)
    demand(call.all('hung_up').length === 1, 'a leg went on after hangUp() by its id')
    await call.end('local')
    await call.under.carrier.hangUp(call.carrierCallId, signal)
    await call.under.carrier.hangUp('no-such-call', signal).catch(() => undefined)
    await call.under.advance(BILLED_MS)
    await call.end('local')
  },

  async 'transfer() ends the leg as transferred, or says that it failed'(make: Make) {
    const call = await answered(make)
    const { transfer } = call.leg.capabilities
    for (const notANumber of ['', '12125550107', '+1 212 555', '+12125550107"/><Dial>']) call.leg.transfer(notANumber)
    await call.under.advance(4000)
    demand(call.all('hung_up').length === 0, 'a transfer to what is no number ended the leg')
    call.leg.transfer(call.under.numbers.busy)
    await call.under.advance(3000)
    demand(call.all('hung_up').length === 0, 'a failed transfer ended the leg')
    demand(call.all('transfer_failed').length === (transfer ? 1 : 0), 'a failed transfer was not told once')
    if (!transfer) return
    const again = await answered(make)
    again.leg.transfer(again.under.numbers.answers)
    await again.until('hung_up', ANSWER_MS)
    await again.under.advance(BILLED_MS)
    await again.end('transferred')
  },

  async 'close() ends each leg once'(make: Make) {
    const call = await answered(make)
    await call.under.carrier.close()
    await call.under.advance(BILLED_MS)
    await call.end('dropped')
  },
}
