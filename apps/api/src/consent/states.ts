/** Local hours, from (inclusive) until (exclusive); null: no calls on that day. */
export type Hours = readonly [fromHour: number, untilHour: number] | null

export interface Week {
  readonly workdays: Hours
  readonly saturday: Hours
  readonly sunday: Hours
}

const everyDay = (fromHour: number, untilHour: number): Week => ({
  workdays: [fromHour, untilHour],
  saturday: [fromHour, untilHour],
  sunday: [fromHour, untilHour],
})
const notOnSundays = (fromHour: number, untilHour: number): Week => ({ ...everyDay(fromHour, untilHour), sunday: null })

/** US states with shorter calling hours than the rest of the country, and their area codes. */
const STATES: readonly (readonly [state: string, week: Week, areas: string])[] = [
  ['Alabama', notOnSundays(8, 20), '205 251 256 334 659 938'],
  ['Connecticut', everyDay(9, 20), '203 475 860 959'],
  [
    'Florida',
    everyDay(8, 20),
    '239 305 321 324 352 386 407 448 561 645 656 689 727 728 754 772 786 813 850 863 904 941 954',
  ],
  ['Kentucky', everyDay(10, 21), '270 364 502 606 859'],
  ['Louisiana', notOnSundays(8, 20), '225 318 337 457 504 985'],
  ['Maryland', everyDay(8, 20), '227 240 301 410 443 667'],
  ['Massachusetts', everyDay(8, 20), '339 351 413 508 617 774 781 857 978'],
  ['Michigan', everyDay(9, 21), '231 248 269 313 517 586 616 679 734 810 906 947 989'],
  ['Minnesota', everyDay(9, 21), '218 320 507 612 651 763 924 952'],
  ['Mississippi', notOnSundays(8, 20), '228 601 662 769'],
  ['Nevada', everyDay(9, 20), '702 725 775'],
  ['New Mexico', everyDay(9, 21), '505 575'],
  ['Oklahoma', everyDay(8, 20), '405 539 572 580 918'],
  [
    'Pennsylvania',
    { ...everyDay(8, 21), sunday: [14, 21] },
    '215 223 267 272 412 445 484 570 582 610 717 724 814 835 878',
  ],
  ['Rhode Island', { workdays: [9, 18], saturday: [10, 17], sunday: null }, '401'],
  ['South Dakota', notOnSundays(9, 21), '605'],
  [
    'Texas',
    { ...everyDay(9, 21), sunday: [12, 21] },
    '210 214 254 281 325 346 361 409 430 432 469 512 682 713 726 737 806 817 830 832 903 915 936 940 945 956 972 979',
  ],
  ['Washington', everyDay(8, 20), '206 253 360 425 509 564'],
  ['Wyoming', everyDay(8, 20), '307'],
]

const weekOfArea = new Map(STATES.flatMap(([, week, areas]) => areas.split(' ').map((area) => [area, week] as const)))

/** The calling week of a US area code's state, if stricter than in the rest of the country. */
export function weekOfUsArea(area: string): Week | undefined {
  return weekOfArea.get(area)
}
