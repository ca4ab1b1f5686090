import { Plus, X } from 'lucide-react'
import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { classes } from '../../../lib/classes.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { withObjective } from '../placing/callForm.ts'

interface ObjectivesInputProps {
  readonly objectives: readonly string[]
  readonly onObjectives: (objectives: string[]) => void
  /** Typed, but not yet added. */
  readonly typed: string
  readonly onTyped: (typed: string) => void
  /** Beneath each objective; the list is then one of rows. */
  readonly beneath?: (objective: string) => ReactNode
}

/**
 * Enter or the plus button adds the typed text; each objective can be removed. Render inside a Field, which labels
 * the input.
 */
export function ObjectivesInput({ objectives, onObjectives, typed, onTyped, beneath }: ObjectivesInputProps) {
  const { form } = useWords().calls
  const add = () => {
    onObjectives(withObjective(objectives, typed))
    onTyped('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter may confirm an input method's composition; then it adds nothing.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    add()
  }
  const adding = useRef<HTMLButtonElement>(null)
  const chosen = useRef<HTMLUListElement>(null)
  const remove = (objective: string) => {
    // The button is removed with its objective, so the focus moves to a neighbour.
    const buttons = chosen.current?.querySelectorAll<HTMLButtonElement>('[data-remove]') ?? []
    const place = objectives.indexOf(objective)
    const next = buttons[place + 1] ?? buttons[place - 1] ?? adding.current
    next?.focus()
    onObjectives(objectives.filter((each) => each !== objective))
  }
  return (
    <>
      <div className="flex gap-2">
        <Input
          value={typed}
          onChange={({ target }) => onTyped(target.value)}
          onKeyDown={onKeyDown}
          placeholder={form.objectivePlaceholder}
          maxLength={300}
          enterKeyHint="enter"
          autoComplete="off"
        />
        <Button
          ref={adding}
          variant="secondary"
          size="icon"
          aria-label={form.addObjective}
          title={form.addObjective}
          onClick={add}
        >
          <Plus className="size-5" aria-hidden="true" />
        </Button>
      </div>
      {objectives.length > 0 && (
        <ul ref={chosen} className={beneath ? 'mt-3 grid gap-3' : 'mt-2 flex flex-wrap gap-2'}>
          {objectives.map((objective) => (
            <li key={objective} className={classes('min-w-0', beneath && 'rounded-base border border-line p-3')}>
              <div
                className={classes(
                  'flex min-w-0 items-center',
                  beneath ? 'mb-2 justify-between gap-2' : 'rounded-full bg-mint pl-3.5 text-sm',
                )}
              >
                <span className={classes('min-w-0 wrap-anywhere', beneath ? 'font-medium' : 'py-1.5')}>
                  {objective}
                </span>
                <button
                  type="button"
                  data-remove
                  aria-label={form.removeObjective(objective)}
                  onClick={() => remove(objective)}
                  className="grid size-8 shrink-0 place-items-center rounded-full text-muted hover:text-ink"
                >
                  <X className="size-4" aria-hidden="true" />
                </button>
              </div>
              {beneath?.(objective)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
