import { type VaultItem, vaultPlaceholder } from '@parley/contract'
import { expect, test } from 'vitest'
import { transcriptText } from '../history/download.ts'
import { aCall } from '../testing.ts'
import { withPrivateNames } from './privateNames.ts'

const VAULT: VaultItem[] = [
  { name: 'Booking number', condition: { when: 'asked' } },
  { name: 'Date of birth', condition: { when: 'menu' } },
]

test('names each private value in the place of its mark, and leaves a mark without a value', () => {
  const text = `It is ${vaultPlaceholder(1)}, ${vaultPlaceholder(0)}, ${vaultPlaceholder(2)}.`
  expect(withPrivateNames(text, VAULT)).toBe('It is •••• (Date of birth), •••• (Booking number), [[private 3]].')
})

test('a downloaded transcript names private values', () => {
  const call = aCall({ vault: VAULT, transcript: `Agent: It is ${vaultPlaceholder(0)}.` })
  expect(transcriptText(call)).toContain('Agent: It is •••• (Booking number).')
})
