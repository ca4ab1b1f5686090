import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { onLanguageChange } from '../lib/language.ts'
import { words } from '../words/index.ts'
import { routeTree } from './routes.ts'

type AppRouter = ReturnType<typeof routerOn>

const routerOn = (history: RouterHistory | undefined) =>
  createRouter({
    routeTree,
    ...(history && { history }),
    defaultPreload: 'intent',
    scrollRestoration: true,
    // Query values stay text: ?token=1e5 is a token, not a number.
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
    router: AppRouter
  }
}

/** The router of all screens, on the browser's history unless another is given. */
export function createAppRouter(history?: RouterHistory): AppRouter {
  const router = routerOn(history)
  // After each navigation: set the tab title and focus the screen's heading.
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    nameTab(router)
    if (!fromLocation || !pathChanged) return
    // Placeholder while a screen's code loads.
    const heading =
      [...document.querySelectorAll('h1')].find((each) => !each.closest('[aria-hidden]')) ??
      document.getElementById('content')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  })
  onLanguageChange(() => nameTab(router))
  return router
}

function nameTab(router: AppRouter): void {
  const { shell, titles } = words()
  const path = router.state.matches.at(-1)?.fullPath
  const title = Object.entries(titles).find(([each]) => each === path)?.[1]
  if (title) document.title = shell.documentTitle(title)
}
