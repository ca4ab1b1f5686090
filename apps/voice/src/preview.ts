import { type ErrorReply, ERROR_STATUS, RECORDING_TYPE, VoicePreview } from '@parley/contract'
import { encodeWav, type Mouth } from '@parley/voice-ports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from './context.ts'

const DEADLINE_MS = 10_000
/** Calls come first: more at once are refused. */
const AT_ONCE_MAX = 4
/** A sentence has some seconds. */
const AUDIO_MAX_BYTES = 30 * 8000

const TEXTS: Readonly<Record<VoicePreview['language'], string>> = {
  en: 'Hello, this is how I sound on the telephone. Shall I make a call for you?',
  es: 'Hola, así sueno por teléfono. ¿Quiere que haga una llamada por usted?',
  fr: 'Bonjour, voici ma voix au téléphone. Voulez-vous que je passe un appel pour vous ?',
  de: 'Guten Tag, so klinge ich am Telefon. Soll ich für Sie anrufen?',
  it: 'Buongiorno, questa è la mia voce al telefono. Vuole che faccia una chiamata per lei?',
  pt: 'Olá, é assim que eu soo ao telefone. Quer que eu faça uma chamada por si?',
  ja: 'こんにちは、電話ではこのような声です。お電話をおかけしましょうか？',
  ko: '안녕하세요, 전화에서는 이런 목소리입니다. 대신 전화를 걸어 드릴까요?',
  zh: '您好，这是我在电话里的声音。需要我替您打电话吗？',
}

/** Says a sentence in a voice, as a caller hears it: for the preview in Settings. */
export function voicePreviews({ mouth, log }: Pick<Context, 'mouth' | 'log'>) {
  let underWay = 0
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const asked = VoicePreview.safeParse(request.query)
    if (!asked.success) return refuse(reply, 'invalid_input', 'The voice or the language is not known.')
    if (underWay >= AT_ONCE_MAX) return refuse(reply, 'unavailable', 'Too many voices are being heard.')
    underWay++
    try {
      const audio = await spoken(mouth, asked.data)
      return await reply.type(RECORDING_TYPE).send(Buffer.from(encodeWav([audio], 'pcm16')))
    } catch (error) {
      log.warn({ err: error, ...asked.data }, 'no preview of the voice')
      return await refuse(reply, 'unavailable', 'The voice cannot be heard now.')
    } finally {
      underWay--
    }
  }
}

async function spoken(mouth: Mouth, { voice, language }: VoicePreview): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const speaking = mouth.open({ language, voiceId: voice })
  const sounds: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const { audio } of speaking.speak(TEXTS[language], { signal })) {
      sounds.push(audio)
      bytes += audio.length
      if (bytes > AUDIO_MAX_BYTES) throw new Error('It does not end.')
    }
  } finally {
    speaking.close()
  }
  if (signal.aborted || bytes === 0) throw new Error('It made no sound in time.')
  return Uint8Array.from(Buffer.concat(sounds))
}

function refuse(reply: FastifyReply, code: 'invalid_input' | 'unavailable', message: string) {
  const answer: ErrorReply = { code, message }
  return reply.code(ERROR_STATUS[code]).send(answer)
}
