import { frameTicker } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { textEar } from '../../../session/testing/fakes.ts'
import { stageCall } from '../../../session/testing/staged-call.ts'
import { say, stageOpenai } from '../testing.ts'

type Options = NonNullable<Parameters<typeof stageOpenai>[0]>

/** A whole call whose ear and mind are one session of the vendor. */
async function staged(options: Options = {}, outlived = false) {
  let speaks = ''
  const callee: Options['callee'] = () => speaks
  const vendor = await stageOpenai({ wordMs: 40, ...options, callee })
  const time = { clock: vendor.clock, ticker: frameTicker(vendor.clock) }
  const ears = outlived ? [vendor.ear, textEar] : [vendor.ear]
  const call = stageCall({ mind: vendor.mind, ears, time })
  call.far.capabilities = { ...call.far.capabilities, text: outlived }
  const says = async (text: string) => {
    speaks = text
    await call.far.says(text)
  }
  return { ...vendor, call, says }
}

const BOOKING: Options['answers'] = ({ items, isApart, tools }) => {
  if (isApart) {
    const summary = { type: 'success', title: 'Booked', description: 'At eight.', insights: [], nextSteps: [] }
    const outcomes = [{ objective: 1, status: 'met', quote: 'we have a table at eight' }]
    return [
      { call: 'report_call', with: { outcomes, summary: { ...summary, actionRequired: false, actionText: null } } },
    ]
  }
  const heard = items.findLast(({ from }) => from === 'callee')?.text ?? ''
  if (heard === '') return [say('I would like a table for two. Do you have one on Friday?')]
  if (!heard.includes('bye')) return [say('Thank you, then please book it for us.')]
  return [say('Goodbye.'), ...(tools.length > 0 ? [{ call: 'end_call', with: { reason: 'agent_closed' } }] : [])]
}

describe('a call with OpenAI Realtime', () => {
  it('is led from the opening to the summary over one session', async () => {
    const { call, says, far, count } = await staged({ answers: BOOKING })
    await call.opened()
    await says('Yes we have a table at eight')
    await call.clock.advance(5000)
    await says('Very well bye')
    await call.over()
    expect(call.turnTexts()).toEqual([
      'agent: Hello, this is an AI assistant calling on behalf of Ann Smith.',
      'agent: I would like a table for two. Do you have one on Friday?',
      'user: Yes we have a table at eight',
      'agent: Thank you, then please book it for us.',
      'user: Very well bye',
      'agent: Goodbye.',
    ])
    expect(call.ended()).toMatchObject({ reason: 'agent_closed' })
    expect(call.facts().at(-1)).toMatchObject({
      outcomes: [{ status: 'met', quote: 'we have a table at eight', turn: 2 }],
      summary: { title: 'Booked' },
    })
    expect(far.sessions).toHaveLength(1)
    expect(far.session.refusals).toEqual([])
    expect(count()).toBe(0)
  })

  it('in the voice of the model: an interruption truncates it at what was heard', async () => {
    const answers: Options['answers'] = ({ items }) =>
      items.some(({ from }) => from === 'callee')
        ? [say('Of course.')]
        : [say('I would like a table for two on Friday evening at seven or at eight if that is possible.')]
    const { call, says, far } = await staged({ answers, realtime: { output: 'sound' } })
    await call.answer()
    await call.clock.advance(5500)
    await says('No no wait a moment please')
    await call.clock.advance(3000)
    const [, cut] = call.turns()
    expect(cut).toMatchObject({ speaker: 'agent', heard: false })
    const [item] = far.session.conversation.items.filter(({ truncatedMs }) => truncatedMs !== null)
    const words = cut!.text.split(' ').length
    expect(item!.truncatedMs! / 300).toBeGreaterThanOrEqual(words - 1)
    expect(item!.truncatedMs! / 300).toBeLessThanOrEqual(words + 1)
    expect(call.turnTexts().at(-1)).toBe('agent: Of course.')
    expect(far.session.refusals).toEqual([])
  })

  it('in the voice of the model: a discarded early reply is deleted at the vendor', async () => {
    const answers: Options['answers'] = ({ items }) => {
      const heard = items.findLast(({ from }) => from === 'callee')?.text
      return [say(heard === undefined ? 'Do you have a table?' : `You said ${heard}.`)]
    }
    const { call, says, far } = await staged({ answers, realtime: { output: 'sound' } })
    await call.opened()
    await says('We have one.')
    await call.clock.advance(300)
    await says('But only if you pay.')
    await call.clock.advance(6000)
    expect(call.turnTexts().at(-1)).toBe('agent: You said But only if you pay..')
    const kept = far.session.conversation.items.filter(({ from, isSound }) => from === 'agent' && isSound)
    expect(kept.map(({ text }) => text)).toEqual(['Do you have a table?', 'You said But only if you pay..'])
  })

  it('goes on over a second ear and without the vendor when the vendor is gone for good, to the carrier’s seconds', async () => {
    const { call, far } = await staged({ answers: () => [say('Do you have a table for two?')] }, true)
    await call.opened()
    far.refusals.push(...Array.from({ length: 50 }, () => 503))
    far.session.break()
    await call.clock.advance(10_000)
    await call.far.says('Yes we have one at eight.')
    await call.clock.advance(30_000)
    const texts = call.turnTexts().slice(2)
    expect(texts).toContain('user: Yes we have one at eight.')
    expect(texts.findLast((text) => text.startsWith('agent'))).toMatch(/./)
    expect(texts.join('\n')).toContain("I'm sorry, I had a technical problem.")
    call.far.end('remote')
    await call.over()
    const { connectedSeconds = 0 } = call.ended() ?? {}
    expect(await call.far.ask('')).toMatchObject({ state: 'ended', connectedMs: connectedSeconds * 1000 })
    expect(connectedSeconds).toBeGreaterThan(40)
  })
})
