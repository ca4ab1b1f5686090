import { describe, expect, it } from 'vitest'
import { createChunker, pieces } from './chunker.ts'

const texts = (text: string) => pieces(text).map((piece) => piece.text)

/** Fed in deltas of a random length, the same for a seed. */
function fed(text: string, seed: number, firstClause = false) {
  const chunker = createChunker({ firstClause })
  const given = []
  let state = seed
  for (let at = 0; at < text.length;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const length = 1 + ((state >>> 16) % (seed % 3 === 0 ? 2 : 12))
    given.push(...chunker.push(text.slice(at, at + length)))
    at += length
  }
  return [...given, ...chunker.flush()]
}

const SENTENCES: readonly (readonly string[])[] = [
  ['Dr. Braun is in.', 'Is it you, Mrs. Lee?', 'J. R. Smith called.'],
  ['Bring something, e.g. Wine.', 'Or i.e. Water, etc. and so on.', 'That is all.'],
  ['It costs 3.5 dollars at 7.30 p.m. on Friday.', 'Shall we say 8 p.m.?', 'Or 9 p.m.', 'Fine.'],
  ['We close at 7 p.m.', 'Is that too late?'],
  ['It is No. 5 on the list.', 'No.', 'Five it is.'],
  ['See https://example.com/a.b?c=d.e for more.', 'Write to ann.lee@example.com.', 'Bye.'],
  ['Well... maybe not.', 'Hm…', 'Then tomorrow...', 'Good.'],
  ['He said "Come at ten."', '"Really?" she asked.', '(Yes.)', 'So be it!'],
  ['The U.S. Bank is closed.', 'Wait, what?!', 'ok, then.'],
  ['Am 3. Mai um 19.30 Uhr bei Fr. Dr. Weiß in der Hauptstr. 5.', 'Das wäre z.B. Nr. 7.', 'Im 2. Stock.', 'Gut.'],
  ['Habla con la Sra. García y el Dr. Ruiz, p. ej. Mañana.', '¿A las 8 p.m.?', '¡Claro!', 'Núm. 12.'],
  ['Ruf an, Tel. +49 30 123.', 'Das ist z. B. Herr Dr. med. Weiß.', 'OK.'],
  ['Mme. Petit habite au n° 5 bd. Voltaire.', 'Vraiment ?', 'Oui !', "C'est M. Blanc."],
]

const UNSPACED: readonly (readonly string[])[] = [
  ['您好，我想订一张桌子。', '星期五晚上七点可以吗？', '谢谢！'],
  ['こんにちは。', '「金曜日の七時は空いていますか？」', 'お願いします。'],
]

describe('pieces', () => {
  it.each(SENTENCES)('cuts between the sentences of "%s"', (...sentences) => {
    expect(texts(sentences.join(' '))).toEqual(sentences)
  })

  it.each(UNSPACED)('cuts between sentences without spaces: "%s"', (...sentences) => {
    expect(pieces(sentences.join('')).map(({ gap, text }) => gap + text)).toEqual(sentences)
  })

  it('cuts Thai at a space once there is a clause', () => {
    const [first, second] = ['สวัสดีค่ะ ดิฉันโทรมาเพื่อจองโต๊ะสำหรับสี่คน', 'วันศุกร์นี้เวลา 19.00 น. ได้ไหมคะ']
    expect(texts(`${first} ${second}`)).toEqual([first, second])
  })

  it('cuts at line ends', () => {
    expect(texts('Three things:\n\nA table\nA price')).toEqual(['Three things:', 'A table', 'A price'])
  })

  it.each([
    ['between words', `${'word '.repeat(200)}end.`],
    ['behind a comma where there is one', `${'word '.repeat(40)}and, ${'word '.repeat(100)}end.`],
    ['without spaces', '预订一张四人的桌子'.repeat(60)],
    ['without any words', 'x'.repeat(1000)],
    ['of emoji', '👩‍👩‍👧‍👦'.repeat(80)],
  ])('cuts an overlong sentence %s', (_, text) => {
    const cut = pieces(text)
    expect(cut.length).toBeGreaterThan(2)
    for (const piece of cut) {
      expect(piece.text.length).toBeLessThanOrEqual(240)
      expect(text.slice(piece.fromChar, piece.fromChar + piece.text.length)).toBe(piece.text)
      expect(piece.text.isWellFormed()).toBe(true)
      expect(piece.text).not.toMatch(/^\u200d|\u200d$/)
    }
    expect(cut.filter(({ text: piece }) => /\bwor?$/.test(piece))).toEqual([])
  })

  it('gives nothing for white space', () => {
    expect(pieces(' \n \t ')).toEqual([])
  })
})

describe('createChunker', () => {
  const ALL = [...SENTENCES.map((sentences) => sentences.join(' ')), ...UNSPACED.map((sentences) => sentences.join(''))]
  const LONG = [
    `${'word '.repeat(120)}end. Dr. ${'x'.repeat(500)}`,
    '预订一张四人的桌子，'.repeat(70),
    ALL.join(' \n '),
  ]

  it.each([true, false])('gives the same pieces however the deltas are cut (first clause: %s)', (firstClause) => {
    for (const text of [...ALL, ...LONG]) {
      const whole = fed(text, 1, firstClause)
      for (let seed = 2; seed < 40; seed++) expect(fed(text, seed, firstClause)).toEqual(whole)
    }
  })

  it('loses nothing but white space', () => {
    for (const text of [...ALL, ...LONG]) {
      for (let seed = 1; seed < 40; seed++) {
        const given = fed(text, seed, seed % 2 === 0)
        expect(
          given
            .map((piece) => piece.text)
            .join('')
            .replace(/\s/g, ''),
        ).toBe(text.replace(/\s/g, ''))
        for (const { text: piece, fromChar } of given) expect(text.slice(fromChar, fromChar + piece.length)).toBe(piece)
      }
    }
  })

  it.each([
    ['Good morning, this is about your table.', ['Good morning,', 'this is about your table.']],
    ['Yes, of course, that is fine. Thank you, goodbye.', ['Yes, of course,', 'that is fine.', 'Thank you, goodbye.']],
    ['It is 3,5 or 1,000 metres, I think.', ['It is 3,5 or 1,000 metres,', 'I think.']],
    ['您好，我想订一张桌子，谢谢。', ['您好，我想订一张桌子，', '谢谢。']],
    ['Thank you. That is fine, goodbye.', ['Thank you.', 'That is fine, goodbye.']],
  ])('gives the first clause of "%s" at once and whole sentences after it', (text, expected) => {
    expect(fed(text, 5, true).map((piece) => piece.text)).toEqual(expected)
  })

  it('gives a clause before its sentence is complete', () => {
    const chunker = createChunker({ firstClause: true })
    expect(chunker.push('Good morning, th')).toMatchObject([{ text: 'Good morning,' }])
  })

  it.each([
    ['That is fine.', 1],
    ['Is it free?', 1],
    ['いいですか？', 1],
    ['That is', 0],
    ['It is 7.', 0],
    ['Ask Dr.', 0],
    ['At 7 p.m.', 0],
    ['It is J.', 0],
  ])('after a pause behind "%s" gives out %i pieces', (text, count) => {
    const chunker = createChunker()
    expect(chunker.push(text)).toEqual([])
    expect(chunker.settled()).toHaveLength(count)
  })
})
