import { describe, expect, it } from 'vitest'
import { wordEnds, wordsOf } from '../words.ts'
import { forSpeech } from './index.ts'

const CASES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  en: [
    ['It costs $1,250.50.', 'It costs one thousand two hundred fifty dollars and fifty cents.'],
    ['Only $1, or €0.99?', 'Only one dollar, or ninety-nine cents?'],
    ['A table at 7:30 pm, please.', 'A table at seven thirty PM, please.'],
    ['From 7pm to 9 p.m. at most.', 'From seven PM to nine PM at most.'],
    ['We open at 8:00 and close at 19:05.', "We open at eight o'clock and close at seven oh five PM."],
    ['On 2026-11-30.', 'On November thirtieth, twenty twenty-six.'],
    ['By 11/30, or 11/30/2026.', 'By November thirtieth, or November thirtieth, twenty twenty-six.'],
    ['On May 3rd, or Nov 21, 2026?', 'On May third, or November twenty-first, twenty twenty-six?'],
    ['The 3rd of May.', 'The third of May.'],
    ['Half is 1/2.', 'Half is 1/2.'],
    ['Call +1 (212) 555-0147.', 'Call plus one, two one two, five five five, zero one four seven.'],
    ['Your code is AB12-9X.', 'Your code is A as in Alpha, B as in Bravo, one, two, nine, X as in X-ray.'],
    ['It is 3.5% of 1,200.', 'It is three point five percent of one thousand two hundred.'],
    ['On the 21st floor, room 512.', 'On the twenty-first floor, room five hundred twelve.'],
    ['Since 1987, 60 mph and 20 °C.', 'Since nineteen eighty-seven, sixty miles an hour and twenty degrees Celsius.'],
    ['Order 12345678.', 'Order one two three, four five six, seven eight.'],
  ],
  es: [
    ['Cuesta 1.250,50 €.', 'Cuesta mil doscientos cincuenta euros con cincuenta.'],
    ['Son 21 € o 200 £.', 'Son veintiún euros o doscientas libras.'],
    ['A las 19:30 h.', 'A las diecinueve treinta.'],
    [
      'A las 7:30 p. m., el 3 de mayo de 2026.',
      'A las siete treinta de la tarde, el tres de mayo de dos mil veintiséis.',
    ],
    ['El 30/11/2026.', 'El treinta de noviembre de dos mil veintiséis.'],
    ['Un 15 % menos.', 'Un quince por ciento menos.'],
    ['Mi número es 612 345 678.', 'Mi número es seis uno dos, tres cuatro cinco, seis siete ocho.'],
    ['La referencia B4K7.', 'La referencia B de Barcelona, cuatro, K de Kilo, siete.'],
    ['Para 1 persona, 31 sillas y 4 mesas.', 'Para 1 persona, 31 sillas y cuatro mesas.'],
  ],
  fr: [
    ['Cela coûte 19,90 €.', 'Cela coûte dix-neuf euros quatre-vingt-dix.'],
    ['Le total est 1 250,50 €.', 'Le total est mille deux cent cinquante euros cinquante.'],
    ['À 19h30 ou 21:00, sinon 1 h.', 'À dix-neuf heures trente ou vingt et une heures, sinon une heure.'],
    ['Le 1er mai, le 2026-11-30.', 'Le premier mai, le trente novembre deux mille vingt-six.'],
    ['Appelez le 01 42 68 53 00.', 'Appelez le zéro un, quarante-deux, soixante-huit, cinquante-trois, zéro zéro.'],
    ['Réference B4K7, 71 %.', 'Réference B comme Berthe, quatre, K comme Kléber, sept, soixante et onze pour cent.'],
    ['Pour 80 personnes.', 'Pour quatre-vingts personnes.'],
  ],
  de: [
    ['Das kostet 19,90 €.', 'Das kostet neunzehn Euro neunzig.'],
    ['Es sind 1.250,50 Euro oder 1 €.', 'Es sind eintausendzweihundertfünfzig Euro fünfzig oder ein Euro.'],
    ['Um 19.30 Uhr oder 20:00.', 'Um neunzehn Uhr dreißig oder zwanzig Uhr.'],
    ['Am 3. Mai, der 7. Mai, 1 Uhr.', 'Am dritten Mai, der siebte Mai, ein Uhr.'],
    [
      'Am 30.11.2026 und am 30.11. um 7.',
      'Am dreißigsten November zweitausendsechsundzwanzig und am dreißigsten November um sieben.',
    ],
    ['Kennzeichen: AB12-9X.', 'Kennzeichen: A wie Anton, B wie Berta, eins, zwei, neun, X wie Xanthippe.'],
    ['Rund 3,5 % von 21 kg.', 'Rund drei Komma fünf Prozent von einundzwanzig Kilogramm.'],
    ['Unter 030 1234567.', 'Unter null drei null, eins zwei drei, vier fünf sechs sieben.'],
    ['Im 2. Stock für 1 Person.', 'Im 2. Stock für 1 Person.'],
  ],
  it: [
    ['Il 2026-11-30 per €5.', 'Il 30 novembre 2026 per 5 euro.'],
    ['Il 15% con B4K7.', 'Il 15 percento con B, 4, K, 7.'],
  ],
  ja: [['2026-11-30です。', '2026年11月30日です。']],
  ar: [['123 456 7890', '1 2 3, 4 5 6, 7 8 9 0']],
}

describe('forSpeech()', () => {
  const cases = Object.entries(CASES).flatMap(([language, all]) =>
    all.map(([text, said]) => ({ language, text, said })),
  )
  it.each(cases)('says "$text" in $language as "$said"', ({ language, text, said }) => {
    expect(forSpeech(text, language).spoken).toBe(said)
  })

  it('reads 11/12 as a day of the month first outside the United States', () => {
    expect(forSpeech('On 11/12.', 'en-US').spoken).toBe('On November twelfth.')
    expect(forSpeech('On 11/12.', 'en-GB').spoken).toBe('On December eleventh.')
  })

  it.each(['Good morning.', 'Sure!', '', '您好，我想订桌子。'])('leaves "%s" as it is', (text) => {
    const form = forSpeech(text, 'en')
    expect(form.spoken).toBe(text)
    const word = { fromChar: 0, toChar: 4, endMs: 10 }
    expect(form.written(word)).toBe(word)
  })

  it.each(cases)('leads the words of "$text" back to places of the written text, in order', ({ language, text }) => {
    const { spoken, written } = forSpeech(text, language)
    const places = wordEnds(wordsOf(spoken), { startMs: 0, endMs: 1000 }).map(written)
    let last = { fromChar: 0, toChar: 0 }
    for (const place of places) {
      expect(place.toChar).toBeGreaterThan(place.fromChar)
      expect(place.toChar).toBeLessThanOrEqual(text.length)
      const isSame = place.fromChar === last.fromChar || place.toChar === last.toChar
      expect(isSame || place.fromChar >= last.toChar).toBe(true)
      last = place
    }
    expect(last.toChar).toBe(text.length)
    for (const { index } of text.matchAll(/[\p{L}\p{N}]/gu))
      expect(places.some(({ fromChar, toChar }) => fromChar <= index && index < toChar)).toBe(true)
  })

  it('gives all words of a replaced stretch its whole place', () => {
    const text = 'At 7:30 pm, please.'
    const { spoken, written } = forSpeech(text, 'en')
    const places = wordEnds(wordsOf(spoken), { startMs: 0, endMs: 1000 }).map(written)
    expect(places.map(({ fromChar, toChar }) => text.slice(fromChar, toChar))).toEqual([
      'At',
      '7:30 pm',
      '7:30 pm',
      '7:30 pm,',
      'please.',
    ])
  })
})
