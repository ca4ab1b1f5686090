import { useSyncExternalStore } from 'react'

/** system: the device's setting. public/theme.js applies the stored choice before the first paint. */
export type Theme = 'system' | 'light' | 'dark'

const STORAGE_KEY = 'parley.theme'
const watchers = new Set<() => void>()

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  for (const watcher of watchers) watcher()
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    currentTheme,
    () => 'system',
  )
}
