import { describe, expect, test } from 'vitest'
import { aCallState, ORDER } from '@parley/voice-ports/conformance'
import type { Asked } from '@parley/voice-ports'
import { createScriptedMind } from '../index.ts'

const TABLE = 'Book a table for four on Friday'

/** [menu, purpose, key] */
const MENUS: readonly (readonly [string, string, string | null])[] = [
  ['For reservations, press 1. For opening hours, press 2. To hear this menu again, press 9.', TABLE, '1'],
  ['Press 1 for billing, press 2 for reservations.', TABLE, '2'],
  ['Press one for sales and press two for support.', 'My internet is not working, get technical support', '2'],
  ['To make an appointment, press 3. For test results, press 4.', 'Schedule an appointment for Tuesday', '3'],
  ['For billing questions, say or press 2. To speak to an operator, press 0.', TABLE, '0'],
  [
    'If you are calling about an existing booking, press 1. For all other enquiries, press 5.',
    'Ask about parking',
    '5',
  ],
  ['To cancel or change a booking press 1; for new bookings press 2.', 'Cancel my reservation', '1'],
  ['For emergencies, press 1. For the front desk, press 2.', 'Ask about parking', '2'],
  ['To be removed from our list, press 9.', TABLE, null],
  ['For English, press 1. Para español, pulse 2.', TABLE, null],
  ['Your call is important to us. Please hold.', TABLE, null],
  ['Please enter your account number followed by the pound key.', TABLE, null],
  ['For delivery, press 1. For pickup, press 2.', 'Ask where the delivery is', '1'],
  ['Para reservas, pulse 1. Para facturas, pulse 2.', 'Reservar una mesa', '1'],
  ['Pour les réservations, appuyez sur le 1. Pour la facturation, appuyez sur le 2.', 'Réserver une table', '1'],
  ['Für Reservierungen drücken Sie die 1. Für Rechnungen drücken Sie die 2.', 'Einen Tisch reservieren', '1'],
  ['Dial 4 for rooms or 5 for the restaurant.', 'Book a room for two nights', '4'],
  ['For reception press star.', 'Ask about parking', '*'],
]

describe('the key pressed in a menu', () => {
  test.each(MENUS)('%s (%s)', async (text, purpose, key) => {
    const state = aCallState({ order: { ...ORDER, purpose, objectives: [] } })
    const asked: Asked = { ...state, cue: { type: 'menu', text } }
    const pressed: string[] = []
    for await (const event of createScriptedMind().respond(asked, new AbortController().signal)) {
      if (event.type === 'press') pressed.push(event.digits)
    }
    expect(pressed).toEqual(key === null ? [] : [key])
  })
})
