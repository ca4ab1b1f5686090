import { VAULT_MAX } from '@parley/contract'
import { ChevronDown, Plus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input, PasswordInput } from '../../../ui/form/Input.tsx'
import { optionsOf, Select } from '../../../ui/form/Select.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { CONDITIONS, EMPTY_ENTRY, type VaultFields, type VaultProblem } from './vaultFields.ts'

interface VaultSectionProps {
  readonly vault: readonly VaultFields[]
  readonly onVault: (vault: VaultFields[]) => void
  readonly problem: VaultProblem | undefined
  /** For the form, which focuses what is wrong. */
  readonly focusRef?: (target: { readonly focus: () => void }) => void
}

/** Values for one call alone, each with the condition on which it may be told. */
export function VaultSection({ vault, onVault, problem, focusRef }: VaultSectionProps) {
  const { vault: words, again } = useWords().calls
  // Of an earlier call, or of a form left and opened again.
  const [begun] = useState(() => vault.filter(({ name, value }) => name.trim() !== '' && value === ''))
  const asked = begun.filter(({ name }) => vault.some((each) => each.name === name && each.value === ''))
  const [isOpen, setOpen] = useState(vault.length > 0)
  const head = useRef<HTMLElement>(null)
  const section = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    // The error is drawn after it is set.
    const focus = () => void setTimeout(() => section.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
    focusRef?.({ focus })
  }, [focusRef])
  const put = (place: number, entry: VaultFields) => onVault(vault.map((each, at) => (at === place ? entry : each)))
  const remove = (place: number) => {
    // The button is removed with its entry, so the focus moves on.
    head.current?.focus()
    onVault(vault.filter((_, at) => at !== place))
  }
  return (
    <details
      ref={section}
      open={isOpen || problem !== undefined}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group rounded-base border border-line"
    >
      <summary
        ref={head}
        className="flex cursor-pointer list-none items-center justify-between gap-3 rounded-base px-4 py-3 text-sm font-medium"
      >
        <span>
          {words.title}
          {vault.length > 0 && <span className="tabular font-normal text-muted"> · {vault.length}</span>}
        </span>
        <ChevronDown className="size-4 text-muted transition-transform group-open:rotate-180" aria-hidden="true" />
      </summary>
      <div className="grid gap-4 px-4 pb-4">
        <p className="text-sm text-muted">{words.lead}</p>
        {asked.length > 0 && <Notice tone="info">{again.privateHint(asked.map(({ name }) => name).join(', '))}</Notice>}
        {vault.length > 0 && (
          <ul className="grid gap-4">
            {vault.map((entry, place) => (
              // Entries have no id, and none is moved.
              // oxlint-disable-next-line react/no-array-index-key -- see above
              <li key={place}>
                <Entry
                  entry={entry}
                  onEntry={(changed) => put(place, changed)}
                  onRemove={() => remove(place)}
                  problem={problem?.place === place ? problem : undefined}
                />
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            variant="secondary"
            size="small"
            icon={<Plus className="size-4" aria-hidden="true" />}
            disabled={vault.length >= VAULT_MAX}
            onClick={() => onVault([...vault, EMPTY_ENTRY])}
          >
            {words.add}
          </Button>
          {vault.length >= VAULT_MAX && <p className="text-sm text-muted">{words.full(VAULT_MAX)}</p>}
        </div>
      </div>
    </details>
  )
}

interface EntryProps {
  readonly entry: VaultFields
  readonly onEntry: (entry: VaultFields) => void
  readonly onRemove: () => void
  readonly problem: VaultProblem | undefined
}

const NAME_MAX = 60
const TEXT_MAX = 200

function Entry({ entry, onEntry, onRemove, problem }: EntryProps) {
  const { vault: words } = useWords().calls
  const errorOf = (field: VaultProblem['field']) => (problem?.field === field ? problem.problem : undefined)
  const put = (change: Partial<VaultFields>) => onEntry({ ...entry, ...change })
  return (
    <div className="grid gap-4 rounded-base bg-paper p-4 sm:grid-cols-2">
      <Field label={words.name} error={errorOf('name')}>
        <Input
          value={entry.name}
          onChange={({ target }) => put({ name: target.value })}
          placeholder={words.namePlaceholder}
          maxLength={NAME_MAX}
          autoComplete="off"
        />
      </Field>
      <Field label={words.value} error={errorOf('value')}>
        <PasswordInput
          value={entry.value}
          onChange={({ target }) => put({ value: target.value })}
          labels={words}
          maxLength={TEXT_MAX}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Field label={words.when} className={entry.when === 'said' ? '' : 'sm:col-span-2'}>
        <Select
          value={entry.when}
          onValueChange={(when) => put({ when })}
          options={optionsOf(CONDITIONS, words.conditions)}
        />
      </Field>
      {entry.when === 'said' && (
        <Field label={words.words} error={errorOf('words')}>
          <Input
            value={entry.words}
            onChange={({ target }) => put({ words: target.value })}
            placeholder={words.wordsPlaceholder}
            maxLength={TEXT_MAX}
            autoComplete="off"
          />
        </Field>
      )}
      <div className="sm:col-span-2">
        <Button
          variant="quiet"
          size="small"
          icon={<X className="size-4" aria-hidden="true" />}
          aria-label={words.remove(entry.name.trim() || words.name)}
          onClick={onRemove}
        >
          {words.removeShort}
        </Button>
      </div>
    </div>
  )
}
