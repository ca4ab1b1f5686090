import type { Ear } from '@parley/voice-ports'
import { guessLanguage } from './language.ts'

/** Takes the text of frames for words, where a carrier transmits it; recognises no speech. */
export function createScriptedEar(): Ear {
  return {
    name: 'real-time text',
    listen(language, clock, onEvent) {
      let words = ''
      let spoken = language
      let open = true

      function noteLanguage(): void {
        const guess = guessLanguage(words)
        if (guess === null || guess === spoken.split('-')[0]) return
        spoken = guess
        onEvent({ type: 'language', language: guess })
      }

      return {
        push(frame) {
          if (!open || frame.text === undefined) return
          words = `${words} ${frame.text}`.trim()
          onEvent({ type: 'words', text: words, final: false, atMs: clock.nowMs() })
        },
        finalize() {
          if (!open || words === '') return
          noteLanguage()
          const text = words
          words = ''
          onEvent({ type: 'words', text, final: true, atMs: clock.nowMs() })
        },
        close() {
          open = false
        },
      }
    },
  }
}
