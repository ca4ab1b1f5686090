import { Plus, X } from 'lucide-react'
import { useRef, type KeyboardEvent } from 'react'
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
}

/**
 * Enter or the plus button adds the typed text; each objective can be removed. Render inside a Field, which labels
 * the input.
 */
export function ObjectivesInput({ objectives, onObjectives, typed, onTyped }: ObjectivesInputProps) {
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
    const buttons = chosen.current?.querySelectorAll('button') ?? []
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
        <ul ref={chosen} className="mt-2 flex flex-wrap gap-2">
          {objectives.map((objective) => (
            <li key={objective} className="flex min-w-0 items-center rounded-full bg-mint pl-3.5 text-sm">
              <span className="min-w-0 py-1.5 wrap-anywhere">{objective}</span>
              <button
                type="button"
                aria-label={form.removeObjective(objective)}
                onClick={() => remove(objective)}
                className="grid size-8 shrink-0 place-items-center rounded-full text-muted hover:text-ink"
              >
                <X className="size-4" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
