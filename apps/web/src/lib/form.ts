import type { FormEvent } from 'react'

/**
 * For forms validated by the browser (required, email): passes the typed values. Forms with rules of their own use
 * react-hook-form.
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

/** The changed values of a form, to be sent alone: the others may be older than what was saved elsewhere. */
export function changedOf<T extends object>(values: T, dirtyFields: Readonly<Record<string, unknown>>): Partial<T> {
  return entriesOf(values, (name) => dirtyFields[name] === true)
}

/** The entries belong to the values, which is what the type says. */
function entriesOf<T extends object>(values: T, isWanted: (name: string) => boolean): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name))) as Partial<T>
}

/** Every name gets its entry, which is what the type says. */
function fromNames<Name extends string>(names: readonly Name[], valueOf: (name: Name) => string): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, string>
}
