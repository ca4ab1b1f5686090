import { Check } from 'lucide-react'
import { Checkbox as RadixCheckbox, Switch as RadixSwitch } from 'radix-ui'
import { useId, type ReactNode } from 'react'

interface ToggleProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly checked: boolean
  readonly onCheckedChange: (checked: boolean) => void
  readonly disabled?: boolean
}

/** A boolean setting: label at the left, switch at the right. */
export function Switch({ label, hint, checked, onCheckedChange, disabled = false }: ToggleProps) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div>
        <label htmlFor={id} className="text-base font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
      <RadixSwitch.Root
        id={id}
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="relative h-7 w-12 shrink-0 rounded-full bg-edge transition-colors disabled:opacity-55 data-[state=checked]:bg-brand"
      >
        <RadixSwitch.Thumb className="block size-5 translate-x-1 rounded-full bg-surface shadow-soft transition-transform data-[state=checked]:translate-x-6" />
      </RadixSwitch.Root>
    </div>
  )
}

export function Checkbox({ label, hint, checked, onCheckedChange, disabled = false }: ToggleProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <RadixCheckbox.Root
        id={id}
        checked={checked}
        onCheckedChange={(state) => onCheckedChange(state === true)}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="grid size-6 shrink-0 place-items-center rounded-small border border-edge bg-surface transition-colors disabled:opacity-55 data-[state=checked]:border-brand data-[state=checked]:bg-brand"
      >
        <RadixCheckbox.Indicator>
          <Check className="size-4 text-on-brand" strokeWidth={3} aria-hidden="true" />
        </RadixCheckbox.Indicator>
      </RadixCheckbox.Root>
      <div>
        <label htmlFor={id} className="text-base">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
