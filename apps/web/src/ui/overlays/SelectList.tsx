import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { useState, type ComponentProps } from 'react'

export interface SelectOption<V extends string> {
  readonly value: V
  readonly label: string
}

interface SelectListProps {
  /** The look and name of the trigger. */
  readonly face: ComponentProps<'button'>
  readonly value: string
  readonly onValueChange: (value: string) => void
  readonly options: readonly SelectOption<string>[]
  readonly placeholder?: string | undefined
}

/** A select that has just been opened. */
export function SelectList({ face, value, onValueChange, options, placeholder }: SelectListProps) {
  const [isOpen, setOpen] = useState(true)
  const { disabled = false, ...looks } = face
  return (
    <Radix.Root value={value} onValueChange={onValueChange} disabled={disabled} open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger {...looks}>
        <span className="truncate">
          <Radix.Value placeholder={<span className="text-muted">{placeholder}</span>} />
        </span>
        <Radix.Icon>
          <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden="true" />
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
