import { describe, expect, it } from 'vitest'
import { consentIn, objectsToRecording } from './consent.ts'

describe('the answer to "May I record this call?"', () => {
  it.each([
    'Yes.',
    'Yes, that is fine with me.',
    'Sure, go ahead.',
    'No problem.',
    'I don’t mind.',
    'Okay then',
    'Sí, claro.',
    'No hay problema.',
    'Oui, bien sûr.',
    'Pas de souci.',
    'Ja, gerne.',
    'Kein Problem.',
  ])('"%s" is a yes', (words) => expect(consentIn(words, 'en')).toBe('yes'))

  it.each([
    'No.',
    'No, thank you.',
    "I'd rather you didn't.",
    'I would rather not.',
    'Please do not.',
    "Yes, but don't record me.",
    "I'm not sure.",
    'Nein, bitte nicht.',
    'Non, je ne préfère pas.',
    'No, prefiero que no.',
    'Claro que não.',
    'Nee, niet ok.',
    'Não, obrigado, tudo claro',
    'Nej, ikke ok',
  ])('"%s" is a no', (words) => expect(consentIn(words, 'en')).toBe('no'))

  it.each(['Hello?', 'Who is this?', 'What did you say?', 'Like what', 'Onko pakko'])('"%s" is neither', (words) =>
    expect(consentIn(words, 'en')).toBeNull(),
  )
})

it('nothing is a yes in a language that is not understood', () => {
  expect(['Sim, claro.', 'Ok', 'Va bene, ok', 'No problem'].map((words) => consentIn(words, 'pt'))).toEqual([null, null, null, 'no'])
})

describe('who was told of the recording', () => {
  it.each([
    "I don't want to be recorded.",
    'Stop recording, please.',
    'Please do not record this.',
    'Ich möchte nicht, dass das aufgezeichnet wird.',
    "Je ne veux pas que l'appel soit enregistré.",
    'No quiero que me graben la llamada, no lo grabe.',
  ])('objects with "%s"', (words) => expect(objectsToRecording(words)).toBe(true))

  it.each(['We have no record of that booking.', 'It is not recorded in our system yet.', 'Yes, it is being recorded, I see.'])(
    'does not with "%s"',
    (words) => expect(objectsToRecording(words)).toBe(false),
  )
})
