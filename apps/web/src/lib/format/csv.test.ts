import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('quotes cells where needed and escapes formulas', async () => {
  const text = await csvOf([
    ['a', 'b, "c"', 'd\ne'],
    ['=1+1', '@x', '-2'],
  ])
  expect(text).toBe(`a,"b, ""c""","d\ne"\r\n"'=1+1","'@x",-2\r\n`)
})
