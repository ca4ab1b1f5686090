import { describe, expect, it, test } from 'vitest'
import { isPrivateName, isSecretName, leavesOf } from './private.ts'

/** By language of the call forms: names of secrets, then other private names. */
const NAMES: readonly (readonly [language: string, secret: readonly string[], others: readonly string[]])[] = [
  [
    'en',
    ['password', 'PIN', 'cvv'],
    ['iban', 'SSN', 'cardNumber', 'account_number', "mother's maiden name", 'passcode', 'apiToken', 'secret'],
  ],
  ['ar', ['كلمة المرور', 'الرقم السري'], ['رقم الحساب', 'رقم البطاقة', 'رمز التحقق', 'اسم الأم قبل الزواج']],
  ['zh', ['密码'], ['信用卡号', '银行账户', '验证码', '母亲的婚前姓', '身份证号码']],
  [
    'fr',
    ['mot de passe', 'Code PIN'],
    ['numéro de compte', 'carte bancaire', 'nom de jeune fille de la mère', 'sécurité sociale'],
  ],
  [
    'de',
    ['Passwort', 'Geheimzahl'],
    ['Kontonummer', 'Kreditkartennummer', 'Mädchenname der Mutter', 'Sozialversicherungsnummer'],
  ],
  [
    'el',
    ['κωδικός πρόσβασης', 'Συνθηματικό'],
    ['αριθμός λογαριασμού', 'πιστωτική κάρτα', 'ΑΦΜ', 'πατρικό όνομα μητέρας'],
  ],
  ['hi', ['पासवर्ड', 'पिन'], ['खाता संख्या', 'क्रेडिट कार्ड', 'आधार संख्या', 'माँ का विवाह पूर्व नाम']],
  [
    'it',
    ["parola d'ordine", 'codice pin'],
    ['numero di conto', 'carta di credito', 'cognome da nubile della madre', 'codice fiscale'],
  ],
  ['ja', ['パスワード', '暗証番号'], ['口座番号', 'クレジットカード', '母の旧姓', 'マイナンバー']],
  [
    'pt',
    ['palavra-passe', 'código PIN'],
    ['número da conta', 'cartão de crédito', 'nome de solteira da mãe', 'segurança social'],
  ],
  ['pt-BR', ['senha', 'senhaDoApp'], ['número do cartão', 'CPF', 'chave pix', 'sobrenome de solteira da mãe']],
  [
    'es',
    ['contraseña', 'código pin'],
    ['número de cuenta', 'tarjetaDeCredito', 'apellido de soltera de la madre', 'clave', 'DNI'],
  ],
]

describe('isPrivateName and isSecretName', () => {
  test.each(NAMES)('know private and secret names in %s', (_, secret, others) => {
    expect([...secret, ...others].filter((name) => !isPrivateName(name))).toEqual([])
    expect(secret.filter((name) => !isSecretName(name))).toEqual([])
    expect(others.filter((name) => isSecretName(name))).toEqual([])
  })

  it.each([
    'card_number',
    'CardNumber',
    'CARD-NUMBER',
    'userPIN',
    'mypassword',
    'CONTRASENA',
    'Numero de cuenta',
    'guestCardNo',
  ])('"%s" is private', (name) => expect(isPrivateName(name)).toBe(true))

  it.each([
    'name',
    'last four digits',
    'booking number',
    'customer number',
    'party size',
    'country code',
    'zip code',
    'secretary',
    'opening time',
    'pink dress',
    'spinach',
    'discount',
    'cardiology',
    'Carte des vins',
    'Speisekarte',
    'numero de reserva',
    'clave de reserva',
    'código postal',
    'Buchungsnummer',
    'ショッピング',
    '会議室',
    'número de personas',
    'nome',
    'recipient',
    'aim',
  ])('"%s" is not private', (name) => expect(isPrivateName(name)).toBe(false))
})

/** Personal data in every language: passport, licence, insurance, membership, patient, diagnosis, birth. */
const PERSONAL: readonly (readonly [language: string, names: readonly string[]])[] = [
  [
    'en',
    [
      'passport no.',
      'driverLicense',
      'insurance_number',
      'memberId',
      'patient id',
      'diagnosis',
      'date of birth',
      'dob',
      'birthdate',
    ],
  ],
  ['ar', ['رقم جواز السفر', 'رخصة القيادة', 'رقم التأمين', 'رقم العضوية', 'رقم المريض', 'التشخيص', 'تاريخ الميلاد']],
  ['zh', ['护照号码', '驾照', '保险号', '会员号', '患者编号', '诊断', '出生日期']],
  [
    'fr',
    [
      'Passeport',
      'permis de conduire',
      "numéro d'assurance",
      'numéro de membre',
      'numéro de patient',
      'diagnostic',
      'date de naissance',
    ],
  ],
  [
    'de',
    [
      'Reisepass',
      'Führerschein',
      'Krankenversicherungsnummer',
      'Mitgliedsnummer',
      'Patientennummer',
      'Diagnose',
      'Geburtsdatum',
    ],
  ],
  [
    'el',
    [
      'διαβατήριο',
      'άδεια οδήγησης',
      'αριθμός ασφάλισης',
      'αριθμός μέλους',
      'αριθμός ασθενούς',
      'διάγνωση',
      'ημερομηνία γέννησης',
    ],
  ],
  ['hi', ['पासपोर्ट नंबर', 'ड्राइविंग लाइसेंस', 'बीमा संख्या', 'सदस्य संख्या', 'रोगी संख्या', 'निदान', 'जन्म तिथि']],
  [
    'it',
    [
      'passaporto',
      'patente di guida',
      'numero di assicurazione',
      'numero di socio',
      'numero paziente',
      'diagnosi',
      'data di nascita',
    ],
  ],
  ['ja', ['パスポート番号', '運転免許証', '保険証番号', '会員番号', '患者番号', '診断', '生年月日']],
  [
    'pt',
    [
      'passaporte',
      'carta de condução',
      'número do seguro',
      'número de sócio',
      'número de utente',
      'diagnóstico',
      'data de nascimento',
    ],
  ],
  [
    'pt-BR',
    [
      'passaporte',
      'carteira de motorista',
      'número do convênio',
      'número de associado',
      'prontuário',
      'diagnóstico',
      'dataDeNascimento',
    ],
  ],
  [
    'es',
    [
      'pasaporte',
      'carné de conducir',
      'número de seguro',
      'número de socio',
      'número de paciente',
      'diagnóstico',
      'fechaDeNacimiento',
    ],
  ],
]

test.each(PERSONAL)('personal data in %s is private unless marked as not private', (_, names) => {
  expect(names.filter((name) => !isPrivateName(name))).toEqual([])
  expect(names.filter((name) => isPrivateName(name, true))).toEqual([])
})

test('a card number is private although marked as not private', () =>
  expect(isPrivateName('card number', true)).toBe(true))

describe('leavesOf', () => {
  const context = {
    name: 'Anna',
    booking: { value: 'AB123', private: true },
    guests: { value: 4, private: false },
    deep: {
      list: [{ code: { value: '8642', private: true } }, 'free', [{ value: ['a1', { b: 'b2' }], private: 'yes' }]],
    },
    room: { private: true, size: 2 },
    pin: { value: '4711', private: false },
  }

  it('finds marked values at any depth, and the plain value of one marked not private', () => {
    expect(leavesOf(context).map(({ path, value, isMarked }) => [path.join(' '), value, isMarked])).toEqual([
      ['name', 'Anna', false],
      ['booking', 'AB123', true],
      ['guests', 4, false],
      ['deep list code', '8642', true],
      ['deep list', 'free', false],
      ['deep list', 'a1', true],
      ['deep list b', 'b2', true],
      ['room private', true, false],
      ['room size', 2, false],
      ['pin', '4711', false],
    ])
  })
})
