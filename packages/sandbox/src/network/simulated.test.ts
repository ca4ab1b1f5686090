import { describe, expect, it } from 'vitest'
import { FRAME_BYTES, FRAME_MS } from '@parley/voice-ports'
import { Agent, WORD_MS } from './testing/agent.ts'

describe('the simulated carrier', () => {
  it.each([
    ['0101', 'busy'],
    ['0102', 'no_answer'],
    ['0104', 'not_in_service'],
    ['0199', 'no_answer'],
  ] as const)('ends a call to ...%s as %s without an answer', async (ending, cause) => {
    const agent = new Agent(ending)
    await agent.end()
    expect(agent.ended).toMatchObject({ cause, connectedMs: 0 })
    expect(agent.events.some(({ type }) => type === 'answered')).toBe(false)
  })

  it('plays the special information tones and the announcement of ...0104 before any answer', async () => {
    const agent = new Agent('0104')
    await agent.end()
    expect(agent.tones.map(({ tone }) => tone)).toEqual([{ type: 'special_information' }])
    expect(agent.text).toContain('not in service')
    expect(agent.tones[0]?.atMs).toBeLessThan(agent.words[0]?.atMs ?? 0)
  })

  it('lets the user pick up ...0199, type, speak, press keys and hang up', async () => {
    const agent = new Agent('0199')
    const heard: Uint8Array[] = []
    const pickUp = () => agent.carrier.pickUp('call', (audio) => void heard.push(audio))
    expect(pickUp()).toBeNull()
    await agent.clock.advance(3000)
    const handset = pickUp()
    expect(agent.carrier.pickUp('another call', () => undefined)).toBeNull()
    expect(pickUp()).toBeNull()
    await agent.clock.advance(100)
    expect(agent.answeredMs).toBe(3000)
    expect(heard.length).toBeGreaterThan(0)

    handset?.say('Hello, who is there?')
    handset?.say('Speak up.')
    await agent.hears('there? Speak up.')
    agent.levels.length = 0
    for (let frame = 0; frame < 50; frame++) {
      handset?.voice(new Uint8Array(FRAME_BYTES).fill(0x17))
      await agent.clock.advance(FRAME_MS)
    }
    expect(agent.levels.filter((level) => level > -20).length).toBeGreaterThan(45)
    handset?.dial('9')
    await agent.clock.advance(FRAME_MS)
    expect(agent.events).toContainEqual({ type: 'digit', digit: '9' })
    handset?.hangUp()
    await agent.end()
    expect(agent.ended).toMatchObject({ cause: 'remote' })
  })

  it('does not let the user pick up other numbers', async () => {
    const agent = new Agent('0102')
    await agent.clock.advance(3000)
    expect(agent.carrier.pickUp('call', () => undefined)).toBeNull()
  })
})

describe('a callee with the manners of a person', () => {
  it('says hello into silence and answers a caller who speaks first', async () => {
    const waited = new Agent('0100')
    await waited.answer()
    await waited.hears('Hello?')
    expect(waited.clock.nowMs() - waited.answeredMs).toBeLessThan(1500)

    const spoken = new Agent('0100')
    await spoken.answer()
    await spoken.say('Hello, this is an assistant calling for Anna Lee.')
    await spoken.hears('Yes, go ahead')
    expect(spoken.text).not.toContain('Hello?')
  })

  it('waits for the end of a sentence across a pause of 1 s', async () => {
    const agent = new Agent('0100')
    await agent.answer()
    await agent.say('Could you tell me')
    await agent.clock.advance(4 * WORD_MS + 1000)
    expect(agent.words).toEqual([])
    await agent.say('how much it is?')
    await agent.hears('eighty')
    const saidMs = (agent.words[0]?.atMs ?? 0) - WORD_MS - agent.answeredMs
    expect(saidMs).toBeGreaterThan(8 * WORD_MS + 1000 + 700 - 100)
    expect(saidMs).toBeLessThan(8 * WORD_MS + 1000 + 1300)
  })

  it('stops when the agent keeps talking over it', async () => {
    const agent = new Agent('0100')
    await agent.answer()
    await agent.say('Could you spell your name?')
    await agent.hears('It is S,')
    await agent.say('I am so sorry but I have to say something else first, namely that it is urgent.')
    await agent.clock.advance(9000)
    expect(agent.text).not.toContain('O, R.')
  })

  it('answers a goodbye and hangs up 1 s later', async () => {
    const agent = new Agent('0100')
    await agent.answer()
    await agent.say('Thank you, goodbye.')
    await agent.hears('Goodbye!')
    const saidMs = agent.words.at(-1)?.atMs ?? 0
    await agent.end()
    expect(agent.ended).toMatchObject({ cause: 'remote', connectedMs: (agent.ended?.atMs ?? 0) - agent.answeredMs })
    expect((agent.ended?.atMs ?? 0) - saidMs).toBeGreaterThanOrEqual(1000)
    expect((agent.ended?.atMs ?? 0) - saidMs).toBeLessThan(1200)
  })

  it('prompts twice during a long silence and then hangs up', async () => {
    const agent = new Agent('0100')
    await agent.end()
    expect(agent.text.match(/still there\?/g)).toHaveLength(2)
    expect(agent.text).toContain('hanging up now')
  })

  it('sends background noise at -60 dBm0 while it is silent', async () => {
    const agent = new Agent('0107')
    await agent.answer()
    await agent.clock.advance(5000)
    const mean = agent.levels.reduce((sum, level) => sum + level, 0) / agent.levels.length
    expect(mean).toBeGreaterThan(-62)
    expect(mean).toBeLessThan(-58)
    expect(Math.min(...agent.levels)).toBeGreaterThan(-64)
  })

  it('ends the call as failed when its voice fails', async () => {
    const agent = new Agent('0100', {
      speak: () => {
        throw new Error('no voice')
      },
    })
    await agent.end()
    expect(agent.ended?.cause).toBe('failed')
  })
})

describe('the callee', () => {
  it('0103 greets, beeps, and hangs up after 6 s of silence', async () => {
    const agent = new Agent('0103')
    await agent.answer()
    await agent.say('Hello? I am talking although nobody listens.')
    await agent.until(() => agent.tones.length > 0)
    expect(agent.tones[0]?.tone).toEqual({ type: 'beep' })
    expect(agent.text).toMatch(/^Hi, you have reached the voicemail .* after the tone\.$/)
    const beepMs = agent.clock.nowMs()
    await agent.say('Please call Anna back about the table.')
    await agent.end()
    expect((agent.ended?.atMs ?? 0) - beepMs).toBeGreaterThan(7 * WORD_MS + 5500)
  })

  it("0105 hangs up after the agent's first sentence", async () => {
    const agent = new Agent('0105')
    await agent.answer()
    await agent.say('Hello, this is an assistant. I would like to ask you many things about your last stay with us.')
    await agent.end()
    expect(agent.ended?.connectedMs).toBeGreaterThan(5 * WORD_MS)
    expect(agent.ended?.connectedMs).toBeLessThan(7 * WORD_MS)
  })

  it('0106 interrupts two sentences but not the first one', async () => {
    const agent = new Agent('0106')
    await agent.answer()
    await agent.say('Hello, this is an assistant calling for Anna Lee and for nobody else at all.')
    await agent.say('I would like to ask you whether there is a table for four on Friday.')
    await agent.hears('Sorry, wait.')
    const startedMs = (agent.words[0]?.atMs ?? 0) - WORD_MS - agent.answeredMs
    expect(startedMs).toBeGreaterThan((15 + 4) * WORD_MS)
    expect(startedMs).toBeLessThan((15 + 8) * WORD_MS)
    await agent.hears('please?')
    await agent.clock.advance(6000)
    await agent.say('I am calling for Anna Lee, who would like to know about the table.')
    await agent.hears('Excuse me,', 5000)
    await agent.clock.advance(8000)
    await agent.say('I am calling for Anna Lee, who would like to know about a table for four people.')
    const before = agent.words.length
    await agent.clock.advance(15 * WORD_MS)
    expect(agent.words.length).toBe(before)
  })

  it('0107 stays silent and never hangs up', async () => {
    const agent = new Agent('0107')
    await agent.answer()
    await agent.say('Hello?')
    await agent.clock.advance(60_000)
    expect(agent.words).toEqual([])
    expect(agent.ended).toBeNull()
  })

  it('0108 stops its menu at key 1, rings through, and a person answers', async () => {
    const agent = new Agent('0108')
    await agent.hears('press 1.')
    agent.leg.sendDigits('1')
    await agent.hears('this is Sam')
    expect(agent.text).not.toContain('menu again')
    expect(agent.tones.map(({ tone }) => tone)).toEqual([{ type: 'ringback' }])
    await agent.say('Could you tell me the price?')
    await expect(agent.hears('eighty')).resolves.toBeUndefined()
  })

  it('0108 refuses other keys, repeats its menu and gives up', async () => {
    const agent = new Agent('0108')
    await agent.hears('menu again')
    agent.leg.sendDigits('7')
    await agent.hears('not one of the choices')
    await agent.end(120_000)
    expect(agent.text.match(/For reservations/g)).toHaveLength(4)
    expect(agent.ended?.cause).toBe('remote')
  })

  it('0111 keeps talking over the agent', async () => {
    const agent = new Agent('0111')
    await agent.answer()
    for (let i = 0; i < 5; i++) await agent.say('Excuse me, may I say something as well, please?')
    await agent.clock.advance(120_000)
    expect(agent.words.length).toBeGreaterThan(300)
  })

  it('0112 is dropped by the carrier after 20 s', async () => {
    const agent = new Agent('0112')
    await agent.answer()
    await agent.clock.advance(18_000)
    await agent.say('Could you spell your name?')
    await agent.end()
    expect(agent.ended).toMatchObject({ cause: 'dropped', connectedMs: 20_000 })
  })

  it("0114 says back-channels during the agent's speech and answers its question", async () => {
    const agent = new Agent('0114')
    await agent.answer()
    await agent.say(
      'Hello, this is an assistant calling for Anna Lee, who would like to have a table, so could you tell me how much the menu is?',
    )
    await agent.hears('eighty')
    expect(agent.text).toMatch(/^Mhm\. Right\. Yes\. .*It is eighty/)
  })

  it.each([
    ['Anna Lee is calling about a table.', 'this is Sam'],
    ['Nothing. Nothing at all.', 'I did not get that'],
  ])('0115 as a screening assistant answers "%s" with "%s"', async (reason, reply) => {
    const agent = new Agent('0115')
    await agent.hears('and why.')
    await agent.say(reason)
    await expect(agent.hears(reply)).resolves.toBeUndefined()
  })

  it('0115 hangs up on a caller who says nothing', async () => {
    const agent = new Agent('0115')
    await agent.end()
    expect(agent.text).toContain('not available')
  })
})
