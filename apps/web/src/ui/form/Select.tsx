import { ChevronDown } from 'lucide-react'
import { startTransition, Suspense, useState, type ComponentProps, type KeyboardEvent, type Ref } from 'react'
import { classes } from '../../lib/classes.ts'
import { lazyComponent } from '../../lib/lazyComponent.ts'
import { useFieldProps } from './Field.tsx'
import { CONTROL } from './Input.tsx'
import type { SelectOption } from '../overlays/SelectList.tsx'

export type { SelectOption }

interface SelectProps<V extends string> {
  /** Empty: nothing is selected. */
  readonly value: V | ''
  readonly onValueChange: (value: V) => void
  readonly options: readonly SelectOption<V>[]
  readonly disabled?: boolean
  readonly className?: string
  /** For use outside a Field. */
  readonly label?: string
  /** Shown while nothing is selected. */
  readonly placeholder?: string
  /** Its button, for focusing. */
  readonly ref?: Ref<HTMLButtonElement>
}

const loadList = () => import('../overlays/SelectList.tsx')
const SelectList = lazyComponent(async () => ({ default: (await loadList()).SelectList }))
const preload = () => void loadList()

/** A static button until the pointer or the focus is near; then the list is loaded. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { value, onValueChange, options, label, placeholder, ref, className, disabled = false } = props
  const field = useFieldProps()
  const [isUsed, setUsed] = useState(false)
  // The list returns one of its options, which is what the cast says.
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen)
    if (option) onValueChange(option.value)
  }
  const face = { ...field, ref, 'aria-label': label, disabled, className: classes(SELECT, className) }
  const open = () => startTransition(() => setUsed(true))
  return (
    <Suspense>
      {isUsed ? (
        <SelectList face={face} value={value} onValueChange={choose} options={options} placeholder={placeholder} />
      ) : (
        <ClosedSelect {...face} onOpen={open}>
          {options.find((each) => each.value === value)?.label ?? <span className="text-muted">{placeholder}</span>}
        </ClosedSelect>
      )}
    </Suspense>
  )
}

const SELECT = `${CONTROL} flex h-11 items-center justify-between gap-2 text-left whitespace-nowrap`

function ClosedSelect({ onOpen, children, ...face }: ComponentProps<'button'> & { readonly onOpen: () => void }) {
  const openByKey = (event: KeyboardEvent) => {
    const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    if (!isLetter && event.key !== 'ArrowDown' && event.key !== 'ArrowUp' && event.key !== 'Enter') return
    event.preventDefault()
    onOpen()
  }
  return (
    <button
      {...face}
      type="button"
      // As Radix renders it when open; there is no list to control yet.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/role-has-required-aria-props
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={onOpen}
      onKeyDown={openByKey}
    >
      <span className="truncate">{children}</span>
      <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden="true" />
    </button>
  )
}

/** Options from a list of values and a table of labels. */
export function optionsOf<V extends string>(
  values: readonly V[],
  labels: Readonly<Record<V, string>>,
): SelectOption<V>[] {
  return values.map((value) => ({ value, label: labels[value] }))
}
