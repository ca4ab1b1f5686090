import type { CallTemplate } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'
import { templatesQuery } from '../api.ts'
import { mannerOf, type Manner } from '../placing/callForm.ts'
import { ChangeTemplate, type TemplateChange } from './ChangeTemplate.tsx'
import { builtInTemplates } from './ready.ts'

interface TemplatesProps {
  readonly onUse: (manner: Manner) => void
}

/** The user's templates, then the built-in ones. */
export function Templates({ onUse }: TemplatesProps) {
  const { templates } = useWords()
  const { id } = useSignedInUser()
  const own = useQuery(templatesQuery(id))
  const [change, setChange] = useState<TemplateChange>()
  return (
    <div className="grid grid-cols-1 gap-6">
      <Group title={templates.own}>
        {own.isPending && <Skeleton className="h-14 rounded-small" />}
        {own.isError && !own.data && (
          <ErrorState title={templates.failedTitle} retrying={own.isFetching} onRetry={() => void own.refetch()} />
        )}
        {own.data?.length === 0 && <p className="text-sm text-muted">{templates.ownEmpty}</p>}
        <ul className="grid grid-cols-1">
          {own.data?.map((template) => (
            <OwnTemplate key={template.id} template={template} onUse={onUse} onChange={setChange} />
          ))}
        </ul>
      </Group>
      <Group title={templates.readyTitle}>
        <ul className="grid grid-cols-1">
          {builtInTemplates().map(({ name, ...manner }) => (
            <li key={name}>
              <Use name={name} manner={manner} onUse={onUse} />
            </li>
          ))}
        </ul>
      </Group>
      {change && <ChangeTemplate change={change} onClose={() => setChange(undefined)} />}
    </div>
  )
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 text-sm font-medium text-muted">{title}</h3>
      {children}
    </section>
  )
}

interface UseProps extends TemplatesProps {
  readonly name: string
  readonly manner: Manner
}

function Use({ name, manner, onUse }: UseProps) {
  return (
    <button
      type="button"
      onClick={() => onUse(manner)}
      className="-mx-2 block w-[calc(100%+1rem)] min-w-0 rounded-small px-2 py-2 text-left transition-colors hover:bg-mint"
    >
      <span className="block truncate font-medium">{name}</span>
      <span className="line-clamp-2 text-sm text-muted">{manner.purpose}</span>
    </button>
  )
}

interface OwnTemplateProps extends TemplatesProps {
  readonly template: CallTemplate
  readonly onChange: (change: TemplateChange) => void
}

function OwnTemplate({ template, onUse, onChange }: OwnTemplateProps) {
  const { templates } = useWords()
  return (
    <li className="flex items-start gap-1">
      <div className="min-w-0 flex-1">
        <Use name={template.name} manner={mannerOf(template)} onUse={onUse} />
      </div>
      <Button
        variant="quiet"
        size="icon"
        aria-label={templates.rename(template.name)}
        onClick={() => onChange({ template, as: 'rename' })}
      >
        <Pencil className="size-4 text-muted" aria-hidden="true" />
      </Button>
      <Button
        variant="quiet"
        size="icon"
        aria-label={templates.delete(template.name)}
        onClick={() => onChange({ template, as: 'delete' })}
      >
        <Trash2 className="size-4 text-muted" aria-hidden="true" />
      </Button>
    </li>
  )
}
