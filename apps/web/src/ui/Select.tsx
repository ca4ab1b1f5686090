import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { classes } from '../lib/classes.ts'
import { useFieldProps } from './Field.tsx'
import { CONTROL } from './Input.tsx'

export interface SelectOption<V extends string> {
  readonly value: V
  readonly label: string
}

interface SelectProps<V extends string> {
  readonly value: V
  readonly onValueChange: (value: V) => void
  readonly options: readonly SelectOption<V>[]
  readonly disabled?: boolean
  readonly name?: string
  readonly className?: string
  /** Where no Field gives it a label. */
  readonly label?: string
}

export function Select<V extends string>({ value, onValueChange, options, label, className, disabled = false, name }: SelectProps<V>) {
  const field = useFieldProps()
  // Radix hands back one of the values it was given as options.
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen)
    if (option) onValueChange(option.value)
  }
  return (
    <Radix.Root value={value} onValueChange={choose} disabled={disabled} {...(name !== undefined && { name })}>
      <Radix.Trigger
        {...field}
        aria-label={label}
        className={classes(CONTROL, 'flex h-11 items-center justify-between gap-2 text-left whitespace-nowrap', className)}
      >
        <span className="truncate">
          <Radix.Value />
        </span>
        <Radix.Icon>
          <ChevronDown className="size-4 text-muted" aria-hidden="true" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-appear overflow-hidden rounded-base border border-line bg-surface shadow-soft"
        >
          <Radix.Viewport className="p-1">
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className="flex min-h-10 cursor-default items-center justify-between gap-6 rounded-small px-3 text-base outline-none select-none data-highlighted:bg-mint data-[state=checked]:font-medium"
              >
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator>
                  <Check className="size-4 text-brand" aria-hidden="true" />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Options from a list of values and a table of their words. */
export function optionsOf<V extends string>(values: readonly V[], labels: Readonly<Record<V, string>>): SelectOption<V>[] {
  return values.map((value) => ({ value, label: labels[value] }))
}
