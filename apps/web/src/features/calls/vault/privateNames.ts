import type { Call, CallDetails, Turn } from '@parley/contract'
import { words } from '../../../words/index.ts'

/** As vaultPlaceholder of the contract writes it. */
const PLACE = /\[\[private (\d+)\]\]/g

/** Private values stand in texts by their place in the vault; shown is the name, masked. */
export function withPrivateNames(text: string, vault: Call['vault']): string {
  return text.replaceAll(PLACE, (whole, place: string) => {
    const name = vault[Number(place) - 1]?.name
    return name === undefined ? whole : words().calls.vault.masked(name)
  })
}

/** The turns of a call as they are shown. */
export function turnsOf({ turns, vault }: Pick<CallDetails, 'turns' | 'vault'>): readonly Turn[] {
  return vault.length === 0 ? turns : turns.map((turn) => ({ ...turn, text: withPrivateNames(turn.text, vault) }))
}
