import type { CountryCode } from 'libphonenumber-js'
import type { Whereabouts } from './hours.ts'
import { weekOfUsArea } from './states.ts'

/** A supported country: its time zones, and whether its mobile numbers are refused because of price or abuse. */
interface Country {
  readonly zones: readonly string[]
  readonly landlinesOnly?: true
}

const US_ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Adak',
  'Pacific/Honolulu',
]
const CANADA_ZONES = [
  'America/St_Johns',
  'America/Halifax',
  'America/Toronto',
  'America/Winnipeg',
  'America/Regina',
  'America/Edmonton',
  'America/Vancouver',
  'America/Whitehorse',
]
const AUSTRALIA_ZONES = [
  'Australia/Sydney',
  'Australia/Brisbane',
  'Australia/Adelaide',
  'Australia/Darwin',
  'Australia/Perth',
  'Australia/Hobart',
]
const MEXICO_ZONES = [
  'America/Mexico_City',
  'America/Cancun',
  'America/Hermosillo',
  'America/Mazatlan',
  'America/Tijuana',
]

/** The allow list: all other countries are refused. */
export const COUNTRIES: Readonly<Partial<Record<CountryCode, Country>>> = {
  US: { zones: US_ZONES },
  CA: { zones: CANADA_ZONES },
  PR: { zones: ['America/Puerto_Rico'] },
  VI: { zones: ['America/St_Thomas'] },
  GU: { zones: ['Pacific/Guam'] },
  MX: { zones: MEXICO_ZONES },
  BR: { zones: ['America/Sao_Paulo', 'America/Manaus', 'America/Rio_Branco'] },
  AR: { zones: ['America/Argentina/Buenos_Aires'] },
  CL: { zones: ['America/Santiago', 'America/Punta_Arenas'] },
  CO: { zones: ['America/Bogota'] },
  CR: { zones: ['America/Costa_Rica'] },
  DO: { zones: ['America/Santo_Domingo'], landlinesOnly: true },
  PA: { zones: ['America/Panama'] },
  PE: { zones: ['America/Lima'] },
  UY: { zones: ['America/Montevideo'] },
  AT: { zones: ['Europe/Vienna'] },
  BE: { zones: ['Europe/Brussels'] },
  BG: { zones: ['Europe/Sofia'] },
  CH: { zones: ['Europe/Zurich'] },
  CY: { zones: ['Asia/Nicosia'] },
  CZ: { zones: ['Europe/Prague'] },
  DE: { zones: ['Europe/Berlin'] },
  DK: { zones: ['Europe/Copenhagen'] },
  EE: { zones: ['Europe/Tallinn'] },
  ES: { zones: ['Europe/Madrid', 'Atlantic/Canary'] },
  FI: { zones: ['Europe/Helsinki'] },
  FR: { zones: ['Europe/Paris'] },
  GB: { zones: ['Europe/London'] },
  GG: { zones: ['Europe/Guernsey'] },
  GR: { zones: ['Europe/Athens'] },
  HR: { zones: ['Europe/Zagreb'] },
  HU: { zones: ['Europe/Budapest'] },
  IE: { zones: ['Europe/Dublin'] },
  IM: { zones: ['Europe/Isle_of_Man'] },
  IS: { zones: ['Atlantic/Reykjavik'] },
  IT: { zones: ['Europe/Rome'] },
  JE: { zones: ['Europe/Jersey'] },
  LI: { zones: ['Europe/Vaduz'], landlinesOnly: true },
  LT: { zones: ['Europe/Vilnius'] },
  LU: { zones: ['Europe/Luxembourg'] },
  LV: { zones: ['Europe/Riga'] },
  MC: { zones: ['Europe/Monaco'], landlinesOnly: true },
  MT: { zones: ['Europe/Malta'] },
  NL: { zones: ['Europe/Amsterdam'] },
  NO: { zones: ['Europe/Oslo'] },
  PL: { zones: ['Europe/Warsaw'] },
  PT: { zones: ['Europe/Lisbon', 'Atlantic/Azores'] },
  RO: { zones: ['Europe/Bucharest'] },
  RS: { zones: ['Europe/Belgrade'], landlinesOnly: true },
  SE: { zones: ['Europe/Stockholm'] },
  SI: { zones: ['Europe/Ljubljana'] },
  SK: { zones: ['Europe/Bratislava'] },
  TR: { zones: ['Europe/Istanbul'] },
  UA: { zones: ['Europe/Kyiv'], landlinesOnly: true },
  AE: { zones: ['Asia/Dubai'] },
  BH: { zones: ['Asia/Bahrain'] },
  EG: { zones: ['Africa/Cairo'], landlinesOnly: true },
  IL: { zones: ['Asia/Jerusalem'] },
  JO: { zones: ['Asia/Amman'], landlinesOnly: true },
  KE: { zones: ['Africa/Nairobi'], landlinesOnly: true },
  KW: { zones: ['Asia/Kuwait'] },
  MA: { zones: ['Africa/Casablanca'], landlinesOnly: true },
  QA: { zones: ['Asia/Qatar'] },
  SA: { zones: ['Asia/Riyadh'] },
  ZA: { zones: ['Africa/Johannesburg'] },
  AU: { zones: AUSTRALIA_ZONES },
  CN: { zones: ['Asia/Shanghai'] },
  HK: { zones: ['Asia/Hong_Kong'] },
  ID: { zones: ['Asia/Jakarta', 'Asia/Makassar', 'Asia/Jayapura'] },
  IN: { zones: ['Asia/Kolkata'] },
  JP: { zones: ['Asia/Tokyo'] },
  KR: { zones: ['Asia/Seoul'] },
  MY: { zones: ['Asia/Kuala_Lumpur'] },
  NZ: { zones: ['Pacific/Auckland'] },
  PH: { zones: ['Asia/Manila'] },
  SG: { zones: ['Asia/Singapore'] },
  TH: { zones: ['Asia/Bangkok'] },
  TW: { zones: ['Asia/Taipei'] },
}

/** Zones by the first digits after the country code, in countries with several zones. */
type Areas = readonly (readonly [zones: readonly string[], beginnings: string])[]

const US_AREAS: Areas = [
  [
    ['America/New_York'],
    `201 202 203 207 212 215 216 220 223 227 229 234 239 240 248 252 260 267 269 272 276 283 301 302 304 305 313 315 317 321 324 326
     329 330 332 336 339 347 351 352 363 380 386 401 404 407 410 412 413 419 434 436 440 443 445 463 470 472 475 478 484 502 508 513 516
     517 518 540 551 561 567 570 571 582 585 586 603 606 607 609 610 614 616 617 624 631 640 645 646 656 667 678 679 680 681 686 689
     703 704 706 716 717 718 724 727 728 732 734 740 743 754 757 762 765 770 771 772 774 781 786 802 803 804 810 813 814 821 826 828
     835 838 839 843 845 848 854 856 857 859 860 862 863 864 865 878 904 908 910 912 914 917 919 929 934 937 941 943 947 948 954 959
     973 978 980 984 989 231`,
  ],
  [['America/New_York', 'America/Chicago'], '219 270 364 423 448 574 812 850 906 930'],
  [
    ['America/Chicago'],
    `205 210 214 217 224 225 228 235 251 254 256 262 274 281 309 312 314 316 318 319 320 325 327 331 334 337 346 353 361 402 405 409
     414 417 430 432 447 457 464 469 471 479 501 504 507 512 515 531 534 539 557 563 572 573 580 601 608 612 615 618 621 629 630 636
     641 651 659 660 662 682 708 712 713 715 726 730 731 737 763 769 773 779 806 815 816 817 830 832 847 861 870 872 901 903 913 918
     920 924 931 936 938 940 945 952 956 972 975 979 985 218`,
  ],
  [['America/Chicago', 'America/Denver'], '308 605 620 701 785'],
  [['America/Denver'], '303 307 385 406 435 505 575 719 720 748 801 915 970 983'],
  [['America/Denver', 'America/Los_Angeles'], '208 458 541 775 986'],
  [['America/Phoenix'], '480 520 602 623'],
  [['America/Phoenix', 'America/Denver'], '928'],
  [
    ['America/Los_Angeles'],
    `206 209 213 253 279 310 323 341 350 357 360 369 408 415 424 425 442 503 509 510 530 559 562 564 619 626 628 650 657 661 669 702
     707 714 725 738 747 760 805 818 820 831 837 840 858 909 916 925 949 951 971`,
  ],
  [['America/Anchorage', 'America/Adak'], '907'],
  [['Pacific/Honolulu'], '808'],
]

const CANADA_AREAS: Areas = [
  [['America/St_Johns', 'America/Halifax'], '709 879'],
  [['America/Halifax'], '428 506 782 851 902'],
  [['America/Toronto', 'America/Halifax'], '273 367 418 581'],
  [
    ['America/Toronto'],
    '226 249 263 289 343 354 365 382 416 437 438 450 468 514 519 548 579 613 647 683 705 742 753 819 873 905 942',
  ],
  [['America/Toronto', 'America/Winnipeg'], '807'],
  [['America/Winnipeg'], '204 431 584'],
  [['America/Regina'], '306 474 639'],
  [['America/Edmonton'], '368 403 587 780 825'],
  [['America/Vancouver'], '604'],
  [['America/Vancouver', 'America/Edmonton'], '236 250 257 672 778'],
  [['America/Toronto', 'America/Winnipeg', 'America/Edmonton', 'America/Whitehorse'], '867'],
]

const AREAS: Readonly<Partial<Record<CountryCode, Areas>>> = {
  US: US_AREAS,
  CA: CANADA_AREAS,
  AU: [
    [['Australia/Sydney'], '2'],
    [['Australia/Melbourne', 'Australia/Hobart'], '3'],
    [['Australia/Brisbane'], '7'],
    [['Australia/Adelaide', 'Australia/Darwin', 'Australia/Perth'], '8'],
  ],
  BR: [
    [['America/Manaus'], '65 66 67 69 92 95'],
    [['America/Manaus', 'America/Rio_Branco'], '97'],
    [['America/Rio_Branco'], '68'],
    [
      ['America/Sao_Paulo'],
      `11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 61 62 63 64
       71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 93 94 96 98 99`,
    ],
  ],
  // Magallanes and Aysén have summer time all year.
  CL: [
    [['America/Punta_Arenas'], '61 67'],
    [['America/Santiago'], '2 32 33 34 35 41 42 43 44 45 51 52 53 55 57 58 63 64 65 71 72 73 75'],
  ],
  ES: [
    [['Atlantic/Canary'], '822 828 922 928'],
    [
      ['Europe/Madrid'],
      '81 83 84 85 86 87 88 90 91 93 94 95 96 97 98 820 821 823 824 825 826 827 920 921 923 924 925 926 927',
    ],
  ],
  MX: [[['America/Mexico_City'], '33 55 56 81']],
  PT: [
    [['Atlantic/Azores'], '292 295 296'],
    [['Europe/Lisbon'], '21 22 23 24 25 26 27 28 291'],
  ],
}

const BEGINNING_MAX = 3
const zonesOfBeginning = new Map<string, readonly string[]>(
  Object.entries(AREAS).flatMap(([country, areas]) =>
    areas.flatMap(([zones, beginnings]) =>
      beginnings.split(/\s+/).map((beginning) => [country + beginning, zones] as const),
    ),
  ),
)

const countries: ReadonlyMap<string, Country> = new Map(Object.entries(COUNTRIES))

/** The place of a number as a storable key: country and, where they narrow the zones, its first digits. */
export function placeOf(country: CountryCode, nationalNumber: string): string {
  for (let length = BEGINNING_MAX; length > 0; length--) {
    const place = country + nationalNumber.slice(0, length)
    if (zonesOfBeginning.has(place)) return place
  }
  return country
}

/** Adds the zone of a contact to its place: calling hours must hold in both. */
export function placeInZone(place: string, zone: string): string {
  return `${place}@${zone}`
}

/** Every possible time zone of a place, and the week of a stricter law. */
export function whereaboutsOf(place: string): Whereabouts {
  const [area = '', zone] = place.split('@')
  const own = zonesOfBeginning.get(area) ?? countries.get(area.slice(0, 2))?.zones ?? []
  const zones = zone === undefined || own.includes(zone) ? own : [...own, zone]
  return { zones, week: area.startsWith('US') ? weekOfUsArea(area.slice(2)) : undefined }
}
