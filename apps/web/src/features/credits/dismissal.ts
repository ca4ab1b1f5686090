/** Whether the low-balance notice was dismissed since the balance became low. */
export interface Dismissal {
  isDismissed(): boolean
  remember(): void
  forget(): void
}

export function createDismissal(
  userId: string,
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): Dismissal {
  const name = `parley.lowBalance.${userId}`
  const quietly = <T>(act: () => T): T | undefined => {
    try {
      return act()
    } catch {
      // Without storage the notice is back on the next page.
      return undefined
    }
  }
  return {
    isDismissed: () => quietly(() => storage.getItem(name) !== null) ?? false,
    remember() {
      quietly(() => storage.setItem(name, 'told'))
    },
    forget() {
      quietly(() => storage.removeItem(name))
    },
  }
}
