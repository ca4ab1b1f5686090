import { describe, expect, it, test } from 'vitest'
import { holdsCardNumber, secretIn, secretSentence, tellsPassword } from './secrets.ts'

describe('holdsCardNumber', () => {
  it.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    'card 4111-1111-1111-1111, expires 12/27',
    '5500 0000 0000 0004 12/27 123',
    '3782 822463 10005',
    '378282246310005',
    '3056 930902 5904',
    '6011000990139424',
    '4222222222222',
    'Card:4111111111111111.',
    '4111\u00a01111\u00a01111\u00a01111',
    '4111–1111–1111–1111',
    '٤١١١١١١١١١١١١١١١',
    'room 12 4111 1111 1111 1111',
    '4242.4242.4242.4242',
    '4242/4242/4242/4242',
    '4242 · 4242 · 4242 · 4242',
    '4242\n4242\n4242\n4242',
    '4242\u200b4242\u200b4242\u200b4242',
    '4\u200b2\u200b4\u200b2\u200b4\u200b2\u200b4\u200b2\u200b4\u200b2\u200b4\u200b2\u200b4\u200b2\u200b4\u200b2',
    '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2',
    'four two four two four two four two four two four two four two four two',
    'Four two four two, 4242, four two four two, 4242',
    'four double one one, double one double one, double one double one, double one double one',
  ])('finds a card number in "%s"', (text) => expect(holdsCardNumber(text)).toBe(true))

  it.each([
    '4111111111111112',
    '+4111111111111111',
    '+49 30 901820 12345',
    '+1 212 555 0100',
    '12125550100',
    '004915112345678',
    'DE89370400440532013000',
    'DE89 3704 0044 0532 0130 00',
    'GB82 WEST 1234 5698 7654 32',
    'booking 411111111111',
    '2223000048400011',
    '1234567812345670',
    'X4111111111111111',
    '41111111111111111111111',
    '49 151 1234567 80',
    '2026-11-22 18:30',
    'order 79927398713',
    'one to two people, three or four chairs, five tables, six at seven, eight or nine',
    'between 18:30 and 20:30 on 12.12.2026 or 13.12.2026',
  ])('finds no card number in "%s"', (text) => expect(holdsCardNumber(text)).toBe(false))
})

describe('tellsPassword', () => {
  it.each([
    'My PIN is 1234.',
    'PIN: 4711',
    'pin code 1234',
    'the CVV is 123',
    'CVC 123',
    'password: hunter2',
    'Password = Tr0ub4dor',
    'The password is hunter2, use it',
    'Use the password: swordfish',
    'La contraseña es gato77',
    'Contraseña: gato',
    'mot de passe : soleil9',
    'Das Passwort lautet geheim1!',
    'Meine Geheimzahl ist 1234',
    'la mia parola d’ordine è gatto9',
    'A senha é abc123',
    'Ο κωδικός πρόσβασης είναι abc123',
    '我的密码是abc123',
    'パスワードはabc123です',
    'पासवर्ड: abc123',
    'पासवर्ड hunter2 है',
    'log in with hunter2 as password',
    'Log in with swordfish as the password',
    'Sign in as anna with hunter2 as my password',
    'use hunter2 as password',
    'pw: hunter2',
    'PWD=hunter2',
    'كلمة المرور: abc123',
    'My password is sunshine',
    'Tell them that my wifi password is sunshine, and ask for a table',
    'Mi contraseña es girasol',
    'Mon mot de passe est soleil.',
    'Mein Passwort ist sonnenschein',
    'The passphrase is correct horse battery staple',
  ])('finds a password in "%s"', (text) => expect(tellsPassword(text)).toBe(true))

  it.each([
    'Ask what the wifi password is',
    'Ask how to reset the password',
    'The password is wrong',
    'Ask about the password: how is it reset?',
    'Pin the meeting at 1234 Main Street',
    'Ask whether a PIN is needed',
    'PIN code 560001',
    'Spinning class at 1830',
    'password: {{password}}',
    'Pregunta por la contraseña del wifi',
    'Book a table for 4 at 1930',
    'Ask whether the booking number serves as password',
    'Ask how to sign in',
    'Tell them that my password is wrong',
    'My password is rejected, ask why',
    'Ask whether my password is long enough',
    'My password is not working',
    'My password is expired.',
    'Mi contraseña es incorrecta',
    'Mein Passwort ist falsch',
    'Mon mot de passe est refusé',
    'Ask what the passphrase is for the members of the club',
    'Ask if the passphrase is the same for everybody',
  ])('finds no password in "%s"', (text) => expect(tellsPassword(text)).toBe(false))
})

describe('secretIn', () => {
  test.each([
    [{ purpose: 'Pay with 4111 1111 1111 1111' }, 'card', 'purpose', ''],
    [{ objectives: ['A table', 'My PIN is 1234'] }, 'password', 'objectives', ''],
    [{ context: { guest: { card: '4111111111111111' } } }, 'card', 'context', 'guest.card'],
    [{ context: { payment: [{ number: 4111111111111111 }] } }, 'card', 'context', 'payment.number'],
    [{ context: { notes: 'pay with 4111-1111-1111-1111' } }, 'card', 'context', 'notes'],
    [{ context: { login: { password: 'hunter' } } }, 'password', 'context', 'login.password'],
    [{ context: { password: { value: 'hunter', private: true } } }, 'password', 'context', 'password'],
    [{ context: { pin: 1234 } }, 'password', 'context', 'pin'],
    [{ context: { cardCvv: '123' } }, 'password', 'context', 'cardCvv'],
    [{ context: { Contraseña: 'gato' } }, 'password', 'context', 'Contraseña'],
    [{ context: { '4111111111111111': 'x' } }, 'card', 'context', ''],
    [{ context: { p1: '4242 4242', p2: '4242 4242' } }, 'card', 'context', 'p1'],
    [{ context: { a: 4242, b: { c: 4242, d: [4242, '4242'] } } }, 'card', 'context', 'a'],
    [{ objectives: ['Tell them 4242 4242', '4242 4242'] }, 'card', 'objectives', ''],
    [{ context: { notes: ['pw: hunter2'] } }, 'password', 'context', 'notes'],
    [{ context: { pw: 'hunter' } }, 'password', 'context', 'pw'],
  ])('finds in %j a secret of kind %s in the field %s', (call, kind, field, path) => {
    const found = secretIn(call)
    expect(found && { ...found, path: found.path.join('.') }).toEqual({ kind, field, path })
  })

  test.each([
    [
      {
        purpose: 'Ask how the password is reset',
        objectives: ['Opening hours'],
        context: { booking: 'AB-4111-1111', guests: 4 },
      },
    ],
    [{ context: { phone: '4915112345674', mobile: '4111111111111111' } }],
    [{ context: { pinCode: '560001', password: '', needsPin: true, wifiPassword: 'unknown' } }],
    [
      {
        context: { code: { value: '8642', private: true }, iban: 'DE89370400440532013000', orderId: 4111111111111112 },
      },
    ],
    [
      {
        vault: [
          { name: 'Booking number', value: 'AB-4111-1111' },
          { name: 'Last four digits of the card', value: '4242' },
        ],
      },
    ],
    [{}],
  ])('finds no secret in %j', (call) => expect(secretIn(call)).toBeUndefined())

  it.each([
    [{ name: 'Account', value: '4111 1111 1111 1111' }, 'card', ['Account']],
    [{ name: '4111 1111 1111 1111', value: 'mine' }, 'card', []],
    [{ name: 'Card PIN', value: '1234' }, 'password', ['Card PIN']],
    [{ name: 'CVV', value: '123' }, 'password', ['CVV']],
    [{ name: 'Password', value: 'sunshine' }, 'password', ['Password']],
    [{ name: 'Notes', value: 'my password is hunter2' }, 'password', ['Notes']],
  ])('finds in the vault %j', (entry, kind, path) => {
    expect(secretIn({ vault: [entry] })).toEqual({ kind, field: 'vault', path })
  })

  it('finds a card number that is cut into two private values', () => {
    const vault = ['4242 4242', '4242 4242'].map((value, place) => ({ name: `Part ${place}`, value }))
    expect(secretIn({ vault })).toEqual({ kind: 'card', field: 'vault', path: ['Part 0'] })
  })

  it('finds a card number among the alternatives of a mandate', () => {
    const limits = { alternatives: ['7 pm', 'pay with 4111 1111 1111 1111'] }
    expect(secretIn({ mandates: [null, { rule: 'within_limits', limits }] })).toMatchObject({ field: 'objectives' })
  })

  it('secretSentence says the kind and the place', () => {
    const found = { kind: 'card', field: 'context', path: ['guest', 'card'] } as const
    expect(secretSentence(found)).toBe(
      'This looks like a payment card number. Parley must not be given card numbers or passwords: remove it from the context (guest › card).',
    )
  })
})
