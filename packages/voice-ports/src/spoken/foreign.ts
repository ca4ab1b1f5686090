import type { Rule } from './rules.ts'

const CURRENCIES: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR' }

/** For languages that are not written out here: what Intl can name. Plain numbers are left to the voice. */
export function foreignRules(language: string): readonly Rule[] {
  const locale = Intl.DateTimeFormat.supportedLocalesOf([language])[0] ?? 'en'
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC', numberingSystem: 'latn' })
  const percent = new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent', unitDisplay: 'long', ...LATIN })
  const money = (currency: string, value: number) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'name', ...LATIN })
      .format(value)
      .replace(/([.,٫])00(?=\D)/u, '')
  return [
    {
      pattern: /(?<![\p{L}\p{N}])(?<y>\d{4})-(?<m>\d{2})-(?<d>\d{2})(?!\d)/gu,
      say({ text }) {
        const day = new Date(`${text}T00:00:00Z`)
        return Number.isNaN(day.getTime()) ? null : date.format(day)
      },
    },
    {
      pattern: /(?<![\p{L}\p{N}])(?<sign>[$€£¥₹])\s?(?<n>\d+(?:[.,]\d{1,2})?)(?![\d.,]\d)/gu,
      say: ({ groups: { sign = '', n = '' } }) => money(CURRENCIES[sign] ?? 'USD', valueOf(n)),
    },
    {
      pattern: /(?<![\p{L}\p{N}.,])(?<n>\d+(?:[.,]\d{1,2})?)[\s\u00a0\u202f]?(?<sign>[$€£¥₹])/gu,
      say: ({ groups: { sign = '', n = '' } }) => money(CURRENCIES[sign] ?? 'USD', valueOf(n)),
    },
    {
      pattern: /(?<![\p{N}.,])(?<n>\d+(?:[.,]\d{1,2})?)[\s\u00a0\u202f]?%/gu,
      say: ({ groups: { n = '' } }) => percent.format(valueOf(n)),
    },
    {
      pattern: /(?<![\p{L}\p{N}.,])\+?\(?\d[\d ()/-]{5,}\d(?![\p{L}\p{N}])/gu,
      say({ text }) {
        const figures = text.replaceAll(/\D/g, '')
        if (figures.length < 7 || figures.length > 15 || /^\d{4}-\d{4}$/.test(text)) return null
        const groups = (text.match(/\d+/g) ?? []).map((group) => Array.from(group).join(' ')).join(', ')
        return text.startsWith('+') ? `+ ${groups}` : groups
      },
    },
    {
      pattern: /(?<![\p{L}\p{N}])(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)*(?![\p{L}\p{N}])/gu,
      say({ text }) {
        const signs = text.replaceAll('-', '')
        return signs.length < 4 || /[A-Z]{4}/.test(text) ? null : Array.from(signs).join(', ')
      },
    },
  ]
}

const LATIN = { numberingSystem: 'latn' } as const
const valueOf = (text: string) => Number(text.replace(',', '.'))
