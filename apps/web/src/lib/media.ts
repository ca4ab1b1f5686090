import { useSyncExternalStore } from 'react'

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (watcher) => {
      const media = matchMedia(query)
      media.addEventListener('change', watcher)
      return () => media.removeEventListener('change', watcher)
    },
    () => matchMedia(query).matches,
    // Rendered at build time there is no screen.
    () => false,
  )
}

export function useReducedMotion(): boolean {
  return useMedia('(prefers-reduced-motion: reduce)')
}

/** Tailwind's md: tables fit; below, cards are shown. */
export function useIsWide(): boolean {
  return useMedia('(min-width: 48rem)')
}
