import { phoneText } from '../../lib/format/phone.ts'
import { useWords } from '../../words/index.ts'

interface PhoneNumberProps {
  readonly phone: string
  /** Opens the call. */
  readonly onOpen?: (() => void) | undefined
}

/** A number in its national format, with the country's name below. */
export function PhoneNumber({ phone, onOpen }: PhoneNumberProps) {
  const { history } = useWords().calls
  const { number, country } = phoneText(phone)
  return (
    <span className="block min-w-0">
      {onOpen ? (
        <button
          type="button"
          aria-label={history.viewCall(number)}
          onClick={onOpen}
          className="link tabular block min-h-6 max-w-full truncate text-left font-medium"
        >
          {number}
        </button>
      ) : (
        <span className="tabular block truncate font-medium">{number}</span>
      )}
      {country && <span className="block truncate text-sm text-muted">{country}</span>}
    </span>
  )
}
