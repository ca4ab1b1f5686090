import { phoneText } from '../../lib/phone.ts'

/** A number as its country writes it, with the country's name below. */
export function PhoneNumber({ phone }: { readonly phone: string }) {
  const { number, country } = phoneText(phone)
  return (
    <span className="block min-w-0">
      <span className="tabular block truncate font-medium">{number}</span>
      {country && <span className="block truncate text-sm text-muted">{country}</span>}
    </span>
  )
}
