import { createRouter } from '@tanstack/react-router'
import { onLanguageChange } from '../lib/language.ts'
import { words } from '../lib/words/index.ts'
import { routeTree } from './routes.ts'

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // The address holds plain text: ?token=1e5 is a token, not a number.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(
      Object.entries(search)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, String(value)]),
    ).toString()
    return text && `?${text}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

// After each navigation the tab tells where one is, and the focus stands on the screen's heading.
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  nameTab()
  if (!fromLocation || !pathChanged) return
  // A screen that is still on its way has a place to stand in already.
  const heading = [...document.querySelectorAll('h1')].find((each) => !each.closest('[aria-hidden]')) ?? document.getElementById('content')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
})
onLanguageChange(nameTab)

function nameTab(): void {
  const { shell, titles } = words()
  const path = router.state.matches.at(-1)?.fullPath
  const title = Object.entries(titles).find(([each]) => each === path)?.[1]
  if (title) document.title = shell.documentTitle(title)
}
