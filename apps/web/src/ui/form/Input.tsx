import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { classes } from '../../lib/classes.ts'
import { useWords } from '../../words/index.ts'
import { useFieldProps } from './Field.tsx'

/** The look of every text control. */
export const CONTROL =
  'w-full rounded-base border border-edge bg-surface px-3.5 text-base text-ink transition-colors placeholder:text-muted hover:border-ink/60 disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-danger'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useFieldProps()} {...rest} className={classes(CONTROL, 'h-11', className)} />
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={3} {...useFieldProps()} {...rest} className={classes(CONTROL, 'min-h-24 py-2.5', className)} />
}

interface PasswordInputProps extends ComponentProps<'input'> {
  /** Of the button, where it is no password. */
  readonly labels?: { readonly show: string; readonly hide: string }
}

export function PasswordInput({ className, labels, ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false)
  const { common } = useWords()
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input {...rest} type={shown ? 'text' : 'password'} className={classes('pr-12', className)} />
      <button
        type="button"
        aria-label={shown ? (labels?.hide ?? common.hidePassword) : (labels?.show ?? common.showPassword)}
        disabled={rest.disabled}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-base text-muted hover:text-ink disabled:opacity-55"
      >
        <Icon className="size-5" aria-hidden="true" />
      </button>
    </div>
  )
}
