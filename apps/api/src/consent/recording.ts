import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** One-party consent: an announcement suffices. All other countries need the consent of every party. */
const TELLING_IS_ENOUGH = new Set<CountryCode>([
  ...(['CA', 'PR', 'VI', 'GU', 'MX', 'BR', 'AR', 'CO', 'CR', 'DO', 'PA', 'UY'] as const),
  ...([
    'GB',
    'IE',
    'NL',
    'SE',
    'NO',
    'DK',
    'FI',
    'IS',
    'EE',
    'LV',
    'LT',
    'PL',
    'CZ',
    'SK',
    'HU',
    'IT',
    'ES',
    'MT',
    'CY',
  ] as const),
  ...(['IN', 'JP', 'SG', 'HK', 'TW', 'NZ', 'ZA'] as const),
])

/** Area codes of US states that require the consent of all parties. */
const ALL_PARTY_AREAS = [
  // California
  `209 213 279 310 323 341 350 357 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714 738 747 760 805 818 820 831
   837 840 858 909 916 925 949 951`,
  // Connecticut, Delaware
  '203 475 860 959 302',
  // Florida
  '239 305 321 324 352 386 407 448 561 645 656 689 727 728 754 772 786 813 850 863 904 941 954',
  // Illinois
  '217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 861 872',
  // Maryland, Massachusetts
  '227 240 301 410 443 667 339 351 413 508 617 774 781 857 978',
  // Michigan, Montana, Nevada, New Hampshire
  '231 248 269 313 517 586 616 679 734 810 906 947 989 406 702 725 775 603',
  // Oregon
  '458 503 541 971',
  // Pennsylvania, Washington
  '215 223 267 272 412 445 484 570 582 610 717 724 814 835 878 206 253 360 425 509 564',
]
/** Non-geographic area codes: the callee may be in any state. */
const NO_AREA = '800 833 844 855 866 877 888 500 521 522 533 544 566 577 588 700'

const askingAreas = new Set([...ALL_PARTY_AREAS, NO_AREA].flatMap((codes) => codes.split(/\s+/)))

/** Whether the agent must ask before recording. The number is the only evidence of the callee's location. */
export function mustAskToRecord(callee: string): boolean {
  const number = parsePhoneNumberFromString(callee)
  // Numbers of the simulated network have an area code but no country in the library.
  const country = number?.country ?? (number?.countryCallingCode === '1' ? 'US' : undefined)
  if (!number || country === undefined) return true
  return country === 'US' ? askingAreas.has(number.nationalNumber.slice(0, 3)) : !TELLING_IS_ENOUGH.has(country)
}
