import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeMulaw, voiceShape } from '@parley/voice-ports'
import { mouthConforms } from '@parley/voice-ports/conformance'
import { synthesize } from '@parley/sandbox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hear } from '../testing/listening.ts'
import { createSherpaMouth, sherpaMouth } from './sherpa-mouth.ts'
import type { Synthesizer } from './sherpa.ts'

/** In the place of the models, of which none can be had here. */
function synthetic() {
  const asked: Parameters<Synthesizer['make']>[0][] = []
  const synthesizer: Synthesizer = {
    speakers: { en: 3, de: 1 },
    make(one) {
      asked.push(one)
      const samples = Float32Array.from(
        decodeMulaw(synthesize(one.text, voiceShape('default')).audio),
        (each) => each / 32_768,
      )
      return Promise.resolve({ samples, rateHz: 8000 })
    },
  }
  return { synthesizer, asked }
}
const ALL = { en: { speakers: {} }, de: { speakers: {} }, es: { speakers: {} }, fr: { speakers: {} } }

mouthConforms('sherpa-onnx', () => sherpaMouth(synthetic().synthesizer, ALL))

/** A folder with these files below mouth/. */
function folder(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'models-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(dir, 'mouth', name, '..'), { recursive: true })
    writeFileSync(join(dir, 'mouth', name), text)
  }
  return dir
}

describe('sherpaMouth()', () => {
  it('speaks in the speaker of voices.json, else in the place of the voice among as many as there are', async () => {
    const { synthesizer, asked } = synthetic()
    const mouth = sherpaMouth(synthesizer, { en: { speakers: { warm: 2 } }, de: { speakers: {} } })
    for (const [language, voiceId] of [
      ['en', 'warm'],
      ['en-GB', 'friendly'],
      ['en', 'authoritative'],
      ['de', 'friendly'],
    ] as const)
      await hear(mouth.open({ language, voiceId }), 'Hello.')
    expect(asked.map(({ language, speaker }) => [language, speaker])).toEqual([
      ['en', 2],
      ['en', 2],
      ['en', 0],
      ['de', 0],
    ])
  })

  it('is unable to speak a language without a model', async () => {
    const speaking = sherpaMouth(synthetic().synthesizer, ALL).open({ language: 'ja', voiceId: 'warm' })
    await expect(hear(speaking)).rejects.toMatchObject({ kind: 'unable' })
  })
})

describe('createSherpaMouth()', () => {
  it.each([
    ['a folder without models', {}, /there is no folder .*mouth/],
    ['no folder of a language', { 'read.me': '' }, /no folder of a language/],
    ['no model', { 'en/tokens.txt': '' }, /must have one .onnx file, and has 0/],
    ['two models', { 'en/a.onnx': '', 'en/b.onnx': '', 'en/tokens.txt': '' }, /has 2/],
    ['no tokens', { 'en/a.onnx': '' }, /has no tokens.txt/],
    [
      'a wrong voices.json',
      { 'en/a.onnx': '', 'en/tokens.txt': '', 'en/voices.json': '{"warm":"x"}' },
      /must hold numbers of speakers/,
    ],
    ['a file that is no model', { 'en/a.onnx': 'no model', 'en/tokens.txt': 'a 1' }, /"en" cannot be loaded: /],
  ])('rejects with the reason for %s', async (_, files, reason) => {
    await expect(createSherpaMouth(folder(files))).rejects.toThrow(reason)
  })
})
