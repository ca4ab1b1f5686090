import { CircleAlert } from 'lucide-react'
import { createContext, use, useId, type ReactNode } from 'react'
import { useWords } from '../lib/words/index.ts'

interface FieldIds {
  readonly id: string
  readonly describedBy: string | undefined
  readonly invalid: boolean
}

const FieldContext = createContext<FieldIds | undefined>(undefined)

/** What a control inside a Field needs to be named and described by it. */
export function useFieldProps() {
  const field = use(FieldContext)
  return field ? { id: field.id, 'aria-describedby': field.describedBy, 'aria-invalid': field.invalid || undefined } : {}
}

interface FieldProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** Says so beside the label. */
  readonly optional?: boolean
  readonly className?: string
  /** The control: Input, Textarea, Select ... */
  readonly children: ReactNode
}

export function Field({ label, hint, error, optional = false, className, children }: FieldProps) {
  const id = useId()
  const { common } = useWords()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 flex items-baseline gap-2 text-sm font-medium">
        {label}
        {optional && <span className="font-normal text-muted">{common.optional}</span>}
      </label>
      <FieldContext value={{ id, describedBy, invalid: error !== undefined }}>{children}</FieldContext>
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1.5 flex gap-1.5 text-sm text-danger">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {error}
        </p>
      )}
    </div>
  )
}
