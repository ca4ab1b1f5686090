import { secretIn, type VaultEntry, type VaultItem } from '@parley/contract'
import { words } from '../../../words/index.ts'

export const CONDITIONS = ['asked', 'menu', 'said'] as const

/** A private value as it is typed. */
export interface VaultFields {
  readonly name: string
  readonly value: string
  readonly when: (typeof CONDITIONS)[number]
  /** After which it may be told; only with `said`. */
  readonly words: string
}

export const EMPTY_ENTRY: VaultFields = { name: '', value: '', when: 'asked', words: '' }

/** Of an earlier call, which has no values any more. */
export function vaultFieldsOf(vault: readonly VaultItem[]): VaultFields[] {
  return vault.map(({ name, condition }) => ({
    name,
    value: '',
    when: condition.when,
    words: condition.when === 'said' ? condition.words : '',
  }))
}

/** What may be kept of a form: never a value. */
export function withoutValues(vault: readonly VaultFields[]): VaultFields[] {
  return vault.map((entry) => ({ ...entry, value: '' }))
}

export interface VaultProblem {
  readonly problem: string
  /** Its place in the list. */
  readonly place: number
  readonly field: 'name' | 'value' | 'words'
}

/** The first problem, with the field that has it. */
export function vaultProblemIn(vault: readonly VaultFields[]): VaultProblem | undefined {
  const { vault: texts } = words().calls
  for (const [place, { name, value, when, words: said }] of vault.entries()) {
    if (name.trim() === '') return { problem: texts.nameless, place, field: 'name' }
    if (value.trim() === '') return { problem: texts.valueless(name.trim()), place, field: 'value' }
    if (when === 'said' && said.trim() === '') return { problem: texts.wordless(name.trim()), place, field: 'words' }
    const isTaken = vault.slice(0, place).some((each) => each.name.trim().toLowerCase() === name.trim().toLowerCase())
    if (isTaken) return { problem: texts.alike, place, field: 'name' }
  }
  const secret = secretIn({ vault: vault.map(({ name, value }) => ({ name: name.trim(), value: value.trim() })) })
  if (!secret) return undefined
  const place = Math.max(
    0,
    vault.findIndex(({ name }) => name.trim() === secret.path[0]),
  )
  return { problem: words().templates.secret(secret), place, field: 'value' }
}

export function vaultIn(vault: readonly VaultFields[]): VaultEntry[] {
  return vault.map(({ name, value, when, words: said }) => ({
    name: name.trim(),
    value: value.trim(),
    condition: when === 'said' ? { when, words: said.trim() } : { when },
  }))
}
