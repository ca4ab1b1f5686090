import { describe, expect, test } from 'vitest'
import { nextGoodHour } from './hours.ts'
import { judgeNumber } from './numbers.ts'
import { COUNTRIES, whereaboutsOf } from './places.ts'

const verdictOf = (typed: string, simulated = false) => {
  const verdict = judgeNumber(typed, simulated ? 'simulated' : 'real')
  return verdict.answer === 'yes' ? verdict.country : verdict.code
}

/** Input, and the country or the code of the refusal. */
const NUMBERS: readonly (readonly [typed: string, verdict: string])[] = [
  // North America: one country code, many countries.
  ['+12024561111', 'US'],
  ['+1 (415) 867-5309', 'US'],
  ['+1 907 273 2000', 'US'],
  ['+1 808 523 2489', 'US'],
  ['+1-800-555-1234', 'US'],
  ['+14169671111', 'CA'],
  ['+16046811111', 'CA'],
  ['+17877211000', 'PR'],
  ['+18769221234', 'country_not_allowed'],
  ['+12423221234', 'country_not_allowed'],
  ['+18092201234', 'country_not_allowed'],
  ['+19005551234', 'number_premium'],
  ['+12129761234', 'number_premium'],
  ['+15005551234', 'number_personal'],
  ['+12345678', 'number_invalid'],
  ['+10005551234', 'number_invalid'],
  // Directory assistance and extensions.
  ['+1 202 555 1212', 'number_directory'],
  ['+14165551212', 'number_directory'],
  ['+1 800 555 1212', 'number_directory'],
  ['411', 'number_directory'],
  ['+1 411', 'number_directory'],
  ['118 118', 'number_directory'],
  ['+44 118500', 'number_directory'],
  ['11880', 'number_directory'],
  ['+12025551213', 'US'],
  ...[
    'ext. 5',
    'ext 5',
    'extension 12',
    'Ext: 5',
    ';ext=5',
    'x5',
    'x 5',
    '#5',
    ',5',
    ',,5#',
    'p5',
    'extensión 5',
    'anexo 5',
  ].map((extension) => [`+1 202 456 1111 ${extension}`, 'number_extension'] as const),
  ...[
    'Durchwahl 5',
    'DW 12',
    'Nebenstelle 3',
    'poste 12',
    'int. 5',
    'interno 5',
    'ramal 7',
    'toestel 4',
    'доб. 5',
    '内線5',
    '分机 12',
    'एक्सटेंशन 5',
  ].map((extension) => [`+1 202 456 1111 ${extension}`, 'number_extension'] as const),
  ['tel:+12025550100;ext=22', 'number_extension'],
  ['001 202 456 1111 x5', 'number_extension'],
  ['+442079460958;ext=12', 'number_extension'],
  ['+1 900 555 1234 x5', 'number_extension'],
  // Europe.
  ['+442079460958', 'GB'],
  ['+447400123456', 'GB'],
  ['+448001111', 'GB'],
  ['+447012345678', 'number_personal'],
  ['+449098790123', 'number_premium'],
  ['+447640123456', 'number_unknown_type'],
  ['+4930901820', 'DE'],
  ['+4915112345678', 'DE'],
  ['+49 700 12345678', 'number_personal'],
  ['+499001234567', 'number_premium'],
  ['+491801234567', 'number_shared_cost'],
  ['+33142685300', 'FR'],
  ['+33612345678', 'FR'],
  ['+33891234567', 'number_premium'],
  ['+34912345678', 'ES'],
  ['+34612345678', 'ES'],
  ['+34803123456', 'number_premium'],
  ['+34901123456', 'number_shared_cost'],
  ['+390612345678', 'IT'],
  ['+393123456789', 'IT'],
  ['+39899123456', 'number_premium'],
  ['+31201234567', 'NL'],
  ['+32470123456', 'BE'],
  ['+41446681800', 'CH'],
  ['+41900123456', 'number_premium'],
  ['+41840123456', 'number_shared_cost'],
  ['+436641234567', 'AT'],
  ['+351212345678', 'PT'],
  ['+302123456789', 'GR'],
  ['+46812345678', 'SE'],
  ['+4722123456', 'NO'],
  ['+48123456789', 'PL'],
  ['+37721234567', 'number_invalid'],
  ['+37799123456', 'MC'],
  ['+377612345678', 'country_not_allowed'],
  ['+423660234567', 'country_not_allowed'],
  ['+79161234567', 'country_not_allowed'],
  ['+375291234567', 'country_not_allowed'],
  // Asia, Australia, Africa, South America.
  ['+81312345678', 'JP'],
  ['+81990123456', 'number_premium'],
  ['+861062345678', 'CN'],
  ['+919876543210', 'IN'],
  ['+6561234567', 'SG'],
  ['+61212345678', 'AU'],
  ['+61412345678', 'AU'],
  ['+611900123456', 'number_premium'],
  ['+61147123456', 'number_satellite'],
  ['+97142345678', 'AE'],
  ['+20221234567', 'EG'],
  ['+201001234567', 'country_not_allowed'],
  ['+27211234567', 'ZA'],
  ['+252612345678', 'country_not_allowed'],
  ['+5511961234567', 'BR'],
  ['+525512345678', 'MX'],
  ['+541123456789', 'AR'],
  ['+5352345678', 'country_not_allowed'],
  ['+8613812345678', 'CN'],
  ['+8501921234567', 'country_not_allowed'],
  // The other allowed countries, and mobile numbers that are not allowed.
  ['+13406421234', 'VI'],
  ['+16713001234', 'GU'],
  ['+56221234567', 'CL'],
  ['+573211234567', 'CO'],
  ['+50683123456', 'CR'],
  ['+18092345678', 'country_not_allowed'],
  ['+50761234567', 'PA'],
  ['+51912345678', 'PE'],
  ['+59894231234', 'UY'],
  ['+35943012345', 'BG'],
  ['+35796123456', 'CY'],
  ['+420601123456', 'CZ'],
  ['+4534412345', 'DK'],
  ['+37251234567', 'EE'],
  ['+358412345678', 'FI'],
  ['+447781123456', 'GG'],
  ['+385921234567', 'HR'],
  ['+36201234567', 'HU'],
  ['+353850123456', 'IE'],
  ['+441624756789', 'IM'],
  ['+3546111234', 'IS'],
  ['+447797712345', 'JE'],
  ['+4232345678', 'LI'],
  ['+37061234567', 'LT'],
  ['+352628123456', 'LU'],
  ['+37121234567', 'LV'],
  ['+35696961234', 'MT'],
  ['+40712034567', 'RO'],
  ['+381112345678', 'RS'],
  ['+381601234567', 'country_not_allowed'],
  ['+38631234567', 'SI'],
  ['+421912123456', 'SK'],
  ['+905012345678', 'TR'],
  ['+380441234567', 'UA'],
  ['+380501234567', 'country_not_allowed'],
  ['+97336001234', 'BH'],
  ['+972502345678', 'IL'],
  ['+96262001234', 'JO'],
  ['+962790123456', 'country_not_allowed'],
  ['+254202012345', 'KE'],
  ['+254712123456', 'country_not_allowed'],
  ['+96550012345', 'KW'],
  ['+212520123456', 'MA'],
  ['+212650123456', 'country_not_allowed'],
  ['+97433123456', 'QA'],
  ['+966512345678', 'SA'],
  ['+85251234567', 'HK'],
  ['+62812345678', 'ID'],
  ['+821020000000', 'KR'],
  ['+60123456789', 'MY'],
  ['+64211234567', 'NZ'],
  ['+639051234567', 'PH'],
  ['+66812345678', 'TH'],
  ['+886912345678', 'TW'],
  ['+2348021234567', 'country_not_allowed'],
  ['+923012345678', 'country_not_allowed'],
  ['+584121234567', 'country_not_allowed'],
  ['+94712345678', 'country_not_allowed'],
  ['+989123456789', 'country_not_allowed'],
  ['+963944567890', 'country_not_allowed'],
  // Codes of no country.
  ['+80012345678', 'country_not_allowed'],
  ['+80812345678', 'number_shared_cost'],
  ['+870773111632', 'number_satellite'],
  ['+878101234567890', 'number_personal'],
  ['+881612345678', 'number_satellite'],
  ['+882161234567', 'number_satellite'],
  ['+883510012345678', 'number_satellite'],
  ['+979123456789', 'number_premium'],
  ['+9991234567', 'number_invalid'],
  // Emergency and short numbers, alone and behind a country code.
  ['911', 'number_emergency'],
  ['112', 'number_emergency'],
  ['999', 'number_emergency'],
  ['988', 'number_emergency'],
  ['+1911', 'number_emergency'],
  ['+44999', 'number_emergency'],
  ['+49 110', 'number_emergency'],
  ['+81119', 'number_emergency'],
  ['+33 15', 'number_emergency'],
  ['62262', 'number_short_code'],
  ['+4411', 'number_short_code'],
  // What people type.
  ['0044 20 7946 0958', 'GB'],
  ['+44 (0)20 7946 0958', 'GB'],
  ['tel:+442079460958', 'number_invalid'],
  ['2024561111', 'number_invalid'],
  ['020 7946 0958', 'number_invalid'],
  ['my mother', 'number_invalid'],
  ['+', 'number_invalid'],
  ['+1', 'number_invalid'],
  ['call me at +12024561111 please', 'number_invalid'],
  ['+1234567890123456789', 'number_invalid'],
]

describe('judgeNumber', () => {
  test.each(NUMBERS)('%s → %s', (typed, verdict) => expect(verdictOf(typed)).toBe(verdict))

  test('the table has 120 numbers of 60 countries at least', () => {
    expect(new Set(NUMBERS.map(([typed]) => typed)).size).toBeGreaterThanOrEqual(120)
    const called = new Set(NUMBERS.flatMap(([, verdict]) => (verdict in COUNTRIES ? [verdict] : [])))
    expect(called.size).toBeGreaterThanOrEqual(60)
  })

  test('returns the callee in E.164', () => {
    expect(judgeNumber('0044 (0)20 7946-0958', 'real')).toMatchObject({
      callee: '+442079460958',
      place: 'GB',
    })
  })

  test.each([
    ['+1 202 555 0100', 'yes'],
    ['+1 202 555 0199', 'yes'],
    ['+1 212 555 0100', 'no'],
    ['+1 202 456 1111', 'yes'],
  ])('beside a real carrier, with test numbers, %s: %s', (typed, answer) => {
    expect(judgeNumber(typed, 'real_and_test').answer).toBe(answer)
  })

  test('allows 555 01xx in any area code on the simulated network only', () => {
    const typed = ['+1 202 555 0100', '+12125550199', '+1 999 555 0101', '+14165550123']
    expect(typed.map((each) => verdictOf(each, true))).toEqual(['US', 'US', 'US', 'CA'])
    expect(verdictOf('+12025550100')).toBe('number_invalid')
    expect(verdictOf('+18765550100', true)).toBe('country_not_allowed')
    expect(verdictOf('+19005550100', true)).toBe('number_premium')
  })
})

describe('the zones of a number', () => {
  const zonesOf = (typed: string) => {
    const verdict = judgeNumber(typed, 'simulated')
    return verdict.answer === 'yes' ? whereaboutsOf(verdict.place).zones : []
  }

  test.each([
    ['+12125550100', ['America/New_York']],
    ['+13125550100', ['America/Chicago']],
    ['+14805550100', ['America/Phoenix']],
    ['+18085550100', ['Pacific/Honolulu']],
    ['+18505550100', ['America/New_York', 'America/Chicago']],
    ['+17095550100', ['America/St_Johns', 'America/Halifax']],
    ['+16045550100', ['America/Vancouver']],
    ['+61212345678', ['Australia/Sydney']],
    ['+61882123456', ['Australia/Adelaide', 'Australia/Darwin', 'Australia/Perth']],
    ['+559233123456', ['America/Manaus']],
    ['+56221234567', ['America/Santiago']],
    ['+56612245678', ['America/Punta_Arenas']],
    ['+56961234567', ['America/Santiago', 'America/Punta_Arenas']],
    ['+34928123456', ['Atlantic/Canary']],
    ['+34612345678', ['Europe/Madrid', 'Atlantic/Canary']],
    ['+351292123456', ['Atlantic/Azores']],
    ['+919876543210', ['Asia/Kolkata']],
  ])('%s → %j', (typed, zones) => expect(zonesOf(typed)).toEqual(zones))

  test('are all zones of the country when the area is unknown', () => {
    expect(zonesOf('+18005551234')).toEqual(COUNTRIES.US!.zones)
  })

  test('exist in Intl and share a calling hour every day', () => {
    const days = ['2026-01-15T00:00:00Z', '2026-07-15T00:00:00Z'].map((midnight) => new Date(midnight))
    const late = Object.entries(COUNTRIES).filter(([, { zones }]) =>
      days.some(
        (day) =>
          zones.length === 0 || (nextGoodHour(day, { zones })?.getTime() ?? Infinity) >= day.getTime() + 24 * 3_600_000,
      ),
    )
    expect(late).toEqual([])
  })
})
