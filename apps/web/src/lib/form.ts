import type { FormEvent } from 'react'

/**
 * For forms whose rules the browser itself keeps (required, e-mail): hands over what was typed, field by field.
 * Forms with rules of their own use react-hook-form.
 */
export function onSubmitTexts<Name extends string>(
  names: readonly Name[],
  submit: (texts: Record<Name, string>) => void,
) {
  return (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    submit(
      fromNames(names, (name) => {
        const value = data.get(name)
        return typeof value === 'string' ? value : ''
      }),
    )
  }
}

/**
 * What was changed of a form's values, to be sent alone: what else stands there may be older than what was saved
 * elsewhere.
 */
export function changedOf<T extends object>(values: T, dirtyFields: Readonly<Record<string, unknown>>): Partial<T> {
  return entriesOf(values, (name) => dirtyFields[name] === true)
}

/** The entries are the values' own, which is what the type says. */
function entriesOf<T extends object>(values: T, isWanted: (name: string) => boolean): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name))) as Partial<T>
}

/** Every name gets its entry, which is what the type says. */
function fromNames<Name extends string>(names: readonly Name[], valueOf: (name: Name) => string): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, string>
}
