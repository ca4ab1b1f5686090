import type { FormEvent } from 'react'

/**
 * For forms whose rules the browser itself keeps (required, e-mail): hands over what was typed, field by field.
 * Forms with rules of their own use react-hook-form.
 */
export function onSubmitTexts<Name extends string>(names: readonly Name[], submit: (texts: Record<Name, string>) => void) {
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

/** Every name gets its entry, which is what the type says. */
function fromNames<Name extends string>(names: readonly Name[], valueOf: (name: Name) => string): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, string>
}
