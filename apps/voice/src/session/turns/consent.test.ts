import { describe, expect, it } from 'vitest'
import { asksBack, consentIn, objectsToRecording } from './consent.ts'

describe('consentIn', () => {
  it.each([
    ['it', 'Sì, certo.', 'yes'],
    ['it', 'No, grazie.', 'no'],
    ['it', 'Sì, ma chi parla?', null],
    ['pt-BR', 'Pode sim.', 'yes'],
    ['pt', 'Não.', 'no'],
    ['el', 'Ναι, βεβαίως.', 'yes'],
    ['el', 'Όχι.', 'no'],
    ['hi', 'जी हाँ।', 'yes'],
    ['hi', 'नहीं।', 'no'],
    ['zh', '可以。', 'yes'],
    ['zh', '不行。', 'no'],
    ['ja', 'はい、大丈夫です。', 'yes'],
    ['ja', 'いいえ。', 'no'],
    ['ar', 'نعم، تفضل', 'yes'],
    ['ar', 'لا', 'no'],
  ] as const)('in %s takes "%s" for %s', (language, words, answer) => {
    expect(consentIn(words, language)).toBe(answer)
  })

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
    "No, I don't mind.",
    'Yes, you may.',
    'Yes, that works for me.',
    'Oui, allez-y.',
    'Sí, adelante, por favor.',
    'Ja, das ist in Ordnung.',
    'Hi, yes, sure.',
  ])('takes "%s" for a yes', (words) => expect(consentIn(words, 'en')).toBe('yes'))

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
    "No problem, but don't record me.",
    'Okay, no, who is this?',
  ])('takes "%s" for a no', (words) => expect(consentIn(words, 'en')).toBe('no'))

  it.each([
    ['en', 'Okay, who is this?'],
    ['en', 'Okay who is this'],
    ['en', 'OK wait what?'],
    ['en', 'ok wait what'],
    ['en', "yes, who's calling?"],
    ['en', 'Yeah, sure, but who is this?'],
    ['en', 'Yes?'],
    ['en', 'Yes, hello'],
    ['en', 'Sure, what is it about'],
    ['en', 'Okay, is this a robot'],
    ['en', 'Okay, hold on.'],
    ['en', 'Yes, I guess.'],
    ['en', 'Okay, but only if you delete it.'],
    ['en', 'No problem, who is this?'],
    ['en', 'Fine, but why?'],
    ['es', 'Sí, ¿quién es?'],
    ['es', 'Vale, quien habla'],
    ['es', 'Sí, dígame.'],
    ['es', 'Vale, espere.'],
    ['es', 'Claro, pero ¿de parte de quién?'],
    ['es', 'Sí, ¿qué quiere?'],
    ['fr', "D'accord, qui est-ce ?"],
    ['fr', "Oui, c'est qui"],
    ['fr', 'Oui, allô ?'],
    ['fr', "D'accord, mais pourquoi ?"],
    ['fr', 'Oui, attendez.'],
    ['fr', 'Oui, c’est de la part de qui'],
    ['de', 'Okay, wer ist da?'],
    ['de', 'Ja, wer spricht'],
    ['de', 'Ja, Moment.'],
    ['de', 'Ja, worum geht es'],
    ['de', 'Klar, aber wer sind Sie?'],
    ['de', 'Ja, hallo?'],
  ])('in %s takes "%s" for neither yes nor no', (language, words) => expect(consentIn(words, language)).toBeNull())

  it('asksBack is true for a question and false for a doubt', () => {
    expect(['Okay, who is this?', 'Ja, wer spricht', 'Okay, hold on.', 'Yes.'].map(asksBack)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it.each(['Hello?', 'Who is this?', 'What did you say?', 'Like what', 'Onko pakko'])(
    'takes "%s" for neither yes nor no',
    (words) => expect(consentIn(words, 'en')).toBeNull(),
  )
})

it('consentIn takes nothing for a yes in an unsupported language', () => {
  expect(['Sim, claro.', 'Ok', 'Va bene, ok', 'No problem'].map((words) => consentIn(words, 'ko'))).toEqual([
    null,
    null,
    null,
    'no',
  ])
})

describe('objectsToRecording', () => {
  it.each([
    "I don't want to be recorded.",
    'Stop recording, please.',
    'Please do not record this.',
    'Ich möchte nicht, dass das aufgezeichnet wird.',
    "Je ne veux pas que l'appel soit enregistré.",
    'No quiero que me graben la llamada, no lo grabe.',
  ])('is true for "%s"', (words) => expect(objectsToRecording(words)).toBe(true))

  it.each([
    'We have no record of that booking.',
    'It is not recorded in our system yet.',
    'Yes, it is being recorded, I see.',
  ])('is false for "%s"', (words) => expect(objectsToRecording(words)).toBe(false))
})
