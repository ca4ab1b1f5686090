import { BRAND, type Movement } from '@parley/contract'
import type { Person } from '../accounts/index.ts'
import { csvLine } from '../platform/csv.ts'
import { money, nameOf, type PaymentRow } from './room.ts'

/** A statement's lines, some movements at a time. */
export async function* statementCsv(pages: AsyncIterable<readonly Movement[]>): AsyncGenerator<string> {
  yield csvLine(['Date', 'Kind', 'Description', 'Credits', 'Balance', 'Call'])
  for await (const movements of pages) {
    yield movements
      .map(({ at, kind, cause, credits, balance, callId }) =>
        csvLine([at, kind, cause, credits, balance, callId ?? '']),
      )
      .join('')
  }
}

const INK = '#10231a'
const GREEN = '#2e7d32'
const GREY = '#5b6b62'
const LEFT = 56
const RIGHT = 539
const ROW = 24

/** A one-page receipt: package, payer and refunds. */
export async function receiptPdf(
  order: PaymentRow,
  person: Pick<Person, 'name' | 'email' | 'companyName'>,
): Promise<Buffer> {
  const info = { Title: `Receipt ${order.id}`, Author: BRAND.product }
  // Loaded with the first receipt: its fonts take longer than all else of it.
  const { default: PDFDocument } = await import('pdfkit')
  const document = new PDFDocument({ size: 'A4', margin: LEFT, info, lang: 'en' })
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const written = new Promise<void>((done, failed) => document.on('end', done).on('error', failed))
  document.fillColor(GREEN).font('Helvetica-Bold').fontSize(22).text(BRAND.product)
  document.fillColor(GREY).font('Helvetica').fontSize(10).text(`${BRAND.parentCompany} · ${BRAND.supportEmail}`)
  document.fillColor(INK).font('Helvetica-Bold').fontSize(18).text('Receipt', LEFT, 130)
  let y = 168
  for (const [label, value, bold] of linesOf(order, person)) {
    document.font('Helvetica').fontSize(11).fillColor(GREY).text(label, LEFT, y, { width: 150 })
    document.font(bold ? 'Helvetica-Bold' : 'Helvetica').fillColor(INK)
    document.text(printable(value), LEFT + 160, y, {
      width: RIGHT - LEFT - 160,
      align: 'right',
      height: ROW,
      ellipsis: true,
    })
    y += ROW
    document
      .moveTo(LEFT, y - 8)
      .lineTo(RIGHT, y - 8)
      .lineWidth(0.5)
      .strokeColor('#d7e0da')
      .stroke()
  }
  document
    .fillColor(GREY)
    .fontSize(10)
    .text('Credits are bought upfront and do not expire. Thank you.', LEFT, y + 16)
  document.end()
  await written
  return Buffer.concat(parts)
}

function linesOf(
  order: PaymentRow,
  { name, email, companyName }: Pick<Person, 'name' | 'email' | 'companyName'>,
): [string, string, boolean?][] {
  const { id, packageId, credits, bonusCredits, amountCents, returnedCents, currency, card, paidAt, intentId } = order
  const total = `${money(amountCents)} ${currency.toUpperCase()}`
  return [
    ['Receipt', id],
    ['Payment', intentId ?? ''],
    ['Date', paidAt === null ? '' : `${paidAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ['Bought by', name],
    ...(companyName === null || companyName === '' ? [] : ([['Company', companyName]] satisfies [string, string][])),
    ['E-mail', email],
    ...(card === null ? [] : ([['Paid with', card]] satisfies [string, string][])),
    [
      nameOf(packageId),
      bonusCredits > 0 ? `${credits} credits and ${bonusCredits} bonus credits` : `${credits} credits`,
    ],
    ['Total paid', total, true],
    ...(returnedCents === 0
      ? []
      : ([['Refunded or disputed', `-${money(returnedCents)} ${currency.toUpperCase()}`]] satisfies [
          string,
          string,
        ][])),
  ]
}

/** Standard PDF fonts contain Western letters only. */
function printable(text: string): string {
  return text.normalize('NFC').replaceAll(/[^\u0020-\u007e\u00a0-\u00ff–—‘’“”•…€™]/g, '?')
}
