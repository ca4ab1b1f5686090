import { CircleAlert } from 'lucide-react'
import { createContext, use, useId, useState, type FormEvent, type ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import { validationMessageOf } from './validity.ts'

interface FieldIds {
  readonly id: string
  readonly describedBy: string | undefined
  readonly invalid: boolean
}

const FieldContext = createContext<FieldIds | undefined>(undefined)

/** The ids by which a control inside a Field is labelled and described. */
export function useFieldProps() {
  const field = use(FieldContext)
  return field
    ? { id: field.id, 'aria-describedby': field.describedBy, 'aria-invalid': field.invalid || undefined }
    : {}
}

interface FieldProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** Shows "optional" beside the label. */
  readonly optional?: boolean
  readonly className?: string
  /** The control: Input, Textarea, Select ... */
  readonly children: ReactNode
}

/** Shows validation errors below the control, instead of the browser's bubble in the browser's language. */
function useValidationMessage() {
  const [problem, setProblem] = useState<string>()
  const onInvalidCapture = (event: FormEvent<HTMLElement>) => {
    const { target } = event
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
    event.preventDefault()
    const { type, validity, validationMessage } = target
    const { min = '', max = '' } = target instanceof HTMLInputElement ? target : {}
    setProblem(validationMessageOf({ type, validity, validationMessage, min, max }))
    // Focuses the first invalid field, as the browser does.
    if (target.form?.querySelector('input:invalid, textarea:invalid') === target) target.focus()
  }
  return { problem, handlers: { onInvalidCapture, onInput: () => setProblem(undefined) } }
}

export function Field({ label, hint, error: given, optional = false, className, children }: FieldProps) {
  const id = useId()
  const { common } = useWords()
  const { problem, handlers } = useValidationMessage()
  const error = problem ?? given
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div className={className} {...handlers}>
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
