/** Indexes into a country's row of libphonenumber's minified metadata. */
export const COUNTRY = { callingCode: 0, formats: 4, leadingDigits: 10, types: 11 } as const
export const FORMAT = { pattern: 0, text: 1, leadingDigits: 2, international: 5 } as const
