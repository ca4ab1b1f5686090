import { useQuery } from '@tanstack/react-query'
import { classes } from '../../lib/classes.ts'
import { count } from '../../lib/format/format.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { useWords } from '../../words/index.ts'
import { tagsQuery } from './api.ts'

const SHOWN = 12

/** The tags in use, most used first; one at a time filters the list. */
export function TagFilter({ tag, onTag }: { readonly tag: string; readonly onTag: (tag: string) => void }) {
  const { contacts } = useWords()
  const { id } = useSignedInUser()
  const { data: tags = [] } = useQuery(tagsQuery(id))
  const shown = tags.slice(0, SHOWN)
  // The selected tag stays visible even if no contact has it any more.
  const isShown = tag === '' || shown.some((each) => each.tag === tag)
  const held = isShown ? [] : [tags.find((each) => each.tag === tag) ?? { tag, contacts: 0 }]
  if (shown.length + held.length === 0) return null
  return (
    <fieldset className="flex flex-wrap gap-1.5 pb-1">
      <legend className="sr-only">{contacts.tags}</legend>
      {[{ tag: '', contacts: 0 }, ...shown, ...held].map((each) => (
        <button
          key={each.tag}
          type="button"
          aria-pressed={each.tag === tag}
          onClick={() => onTag(each.tag)}
          className={classes(
            'min-h-9 rounded-full border px-3 text-sm transition-colors',
            each.tag === tag ? 'border-brand bg-mint text-brand' : 'border-edge/60 hover:bg-mint',
          )}
        >
          {each.tag === '' ? contacts.allTags : each.tag}
          {each.contacts > 0 && <span className="tabular text-muted"> {count(each.contacts)}</span>}
        </button>
      ))}
    </fieldset>
  )
}
