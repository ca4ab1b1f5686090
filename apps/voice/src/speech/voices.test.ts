import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CALL_LANGUAGES, SETTINGS_LANGUAGES, VOICES } from '@parley/contract'
import { describe, expect, it, onTestFinished } from 'vitest'
import { vendorVoice, voicesOf, voiceTables } from './voices.ts'

const LANGUAGES = [...new Set([...CALL_LANGUAGES, ...SETTINGS_LANGUAGES])].filter((each) => each !== 'auto')
const stock = voiceTables(null)

describe('the stock voices', () => {
  it.each(['elevenlabs', 'cartesia', 'openai'] as const)(
    'of %s speak every language, each unlike the others',
    (vendor) => {
      for (const language of LANGUAGES) {
        const names = VOICES.map((voiceId) => vendorVoice(stock[vendor], { language, voiceId }))
        expect(names.every((name) => name !== undefined && name !== '')).toBe(true)
        expect(new Set(names).size).toBe(VOICES.length)
      }
    },
  )

  it('of Deepgram speak six languages', () => {
    const spoken = LANGUAGES.filter(
      (language) => vendorVoice(stock.deepgram, { language, voiceId: 'warm' }) !== undefined,
    )
    expect(spoken.toSorted()).toEqual(['de', 'en', 'es', 'fr', 'it', 'ja'])
  })

  it('fall back to the default one for a voice that is not known', () => {
    expect(vendorVoice(stock.openai, { language: 'en', voiceId: 'nobody' })).toBe('alloy')
  })
})

describe('voices of the operator', () => {
  it('take the place of the stock voices that they name, alone', () => {
    const { elevenlabs, cartesia } = voiceTables(
      '{"elevenlabs":{"warm":{"de":"mine"}},"cartesia":{"friendly":{"any":"all","pt-BR":"brazil"}}}',
    )
    expect(vendorVoice(elevenlabs, { language: 'de', voiceId: 'warm' })).toBe('mine')
    expect(vendorVoice(elevenlabs, { language: 'fr', voiceId: 'warm' })).toBe('EXAVITQu4vr4xnSDxMaL')
    expect(vendorVoice(cartesia, { language: 'fr', voiceId: 'friendly' })).toBe('all')
    expect(vendorVoice(cartesia, { language: 'pt-BR', voiceId: 'friendly' })).toBe('brazil')
  })

  it.each(['no json', '[]', '{"nobody":{}}', '{"openai":{"loud":{}}}', '{"openai":{"warm":{"any":""}}}'])(
    'are refused in one sentence when the file has %s',
    (json) => {
      expect(() => voiceTables(json)).toThrow(/^VOICES must be a JSON file such as .*Correct it\.$/)
    },
  )

  it('are read from the file, and one that is not there is named', () => {
    const dir = mkdtempSync(join(tmpdir(), 'voices-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    writeFileSync(join(dir, 'voices.json'), '{"openai":{"warm":{"any":"nova"}}}')
    const { openai } = voicesOf(join(dir, 'voices.json'))
    expect(vendorVoice(openai, { language: 'en', voiceId: 'warm' })).toBe('nova')
    expect(() => voicesOf(join(dir, 'none.json'))).toThrow(
      /^VOICES cannot be read: .*Name a JSON file, or remove it\.$/,
    )
  })
})
