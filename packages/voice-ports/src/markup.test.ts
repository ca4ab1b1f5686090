import { describe, expect, it } from 'vitest'
import { createMarkupFilter, withoutMarkup } from './markup.ts'

const CASES: readonly (readonly [string, string])[] = [
  ['That is **fine** and __good__, *really* _so_.', 'That is fine and good, really so.'],
  ['***Both*** ~~not~~ ok', 'Both not ok'],
  ['# Plan\n## Details\nText', 'Plan\nDetails\nText'],
  ['- a table\n* a price\n+ parking\n• a name', 'a table\na price\nparking\na name'],
  ['  - nested\n> quoted\n> - both', 'nested\nquoted\nboth'],
  ['1. First\n2. Second', '1. First\n2. Second'],
  ['3. Mai passt.', '3. Mai passt.'],
  ['Above\n---\nBelow\n* * *\nEnd', 'Above\n\nBelow\n\nEnd'],
  ['Say `yes` now.', 'Say yes now.'],
  ['Look:\n```js\nconst a = 1 < 2\n```\nDone.', 'Look:\n\n\nDone.'],
  ['Look: ```never closed', 'Look:'],
  ['See [our page](https://example.com) or ![a map](x.png).', 'See our page or a map.'],
  ['[sic] and a [list] (here)', '[sic] and a [list] (here)'],
  ['<b>Hello</b><br/>there <speak rate="fast">now</speak>', 'Hello\nthere now'],
  ['<think>They want a discount. <b>No.</b></think>Good morning.', 'Good morning.'],
  ['One moment.<tool_call>{"name": "end_call"}</tool_call>', 'One moment.'],
  ['Before <!-- a > comment --> after', 'Before  after'],
  ['<think>never closed', ''],
  ['Cut off <b', 'Cut off'],
  ['If a < b and 3 <4 or x <y and z.', 'If a < b and 3 <4 or x <y and z.'],
  ['I <3 it.', 'I <3 it.'],
  ['Fish &amp; chips &lt; 5 & more &c.', 'Fish & chips < 5 & more &c.'],
  ['Great 🎉👍🏽! 👩‍👩‍👧‍👦 🇩🇪 Press 7️⃣.', 'Great !   Press 7.'],
  ['Dial *67 or press * to go on, or # for room #12.', 'Dial *67 or press * to go on, or # for room #12.'],
  ['2 * 3 is 6; mail ann_lee@example.com or snake_case.', '2 * 3 is 6; mail ann_lee@example.com or snake_case.'],
  ['-5 degrees, about ~20.', '-5 degrees, about ~20.'],
  ['| Day | Time |\n|---|---|\n| Friday | 7 |', 'Day   Time  \n\n  Friday   7'],
  ['Not \\*bold\\* but C:\\temp.', 'Not bold but C:\\temp.'],
  ['© Café “naïve” – 100 %…', '© Café “naïve” – 100 %…'],
  ['हिन्दी क्‍ष', 'हिन्दी क्‍ष'],
  ['Hello! Is it you?', 'Hello! Is it you?'],
]

describe('withoutMarkup', () => {
  it.each(CASES)('of %j leaves %j', (text, spoken) => {
    expect(withoutMarkup(text)).toBe(spoken)
  })
})

describe('createMarkupFilter', () => {
  it('leaves the same words however the deltas are cut', () => {
    const long = `${CASES.map(([text]) => text).join('\n')} <${'x'.repeat(700)}> [${'y'.repeat(400)}](z) ${'*-'.repeat(300)}`
    for (const text of [...CASES.map(([one]) => one), long]) {
      for (const length of [1, 2, 3, 7, 50]) {
        const filter = createMarkupFilter()
        let spoken = ''
        for (let at = 0; at < text.length; at += length) spoken += filter.push(text.slice(at, at + length))
        expect((spoken + filter.flush()).trim()).toBe(withoutMarkup(text))
      }
    }
  })

  it('passes ordinary words on at once', () => {
    const filter = createMarkupFilter()
    expect(filter.push('Good morning, this is ')).toBe('Good morning, this is ')
  })
})
