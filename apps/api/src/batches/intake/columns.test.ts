import { describe, expect, test } from 'vitest'
import { guessColumns } from './columns.ts'

describe('guessColumns', () => {
  test.each([
    [['name', 'phone'], { phone: 'phone', name: 'name' }],
    [['Customer', 'Mobile'], { phone: 'Mobile', name: 'Customer' }],
    [['Company Name', 'Guest', 'Mobile'], { phone: 'Mobile', name: 'Guest' }],
    [['First Name', 'Full Name', 'Cell'], { phone: 'Cell', name: 'Full Name' }],
    [['Nombre', 'Teléfono móvil'], { phone: 'Teléfono móvil', name: 'Nombre' }],
    [['Company Name', 'Tel'], { phone: 'Tel', name: null }],
    [['Street', 'Reached at'], { phone: 'Reached at', name: null }],
  ])('guesses %j to be %j', (columns, guessed) => {
    // The last column holds the numbers.
    const row = Object.fromEntries(
      columns.map((column, index) => [column, index === columns.length - 1 ? '+12025550100' : 'Ada']),
    )
    expect(guessColumns(columns, [row])).toEqual(guessed)
  })
})
