import type { Bridge } from './bridge.ts'

/** The system's part of the screen: status bar, keyboard, Android's back button, splash. */
export function fitIn(bridge: Bridge, page: Document = document): void {
  followTheme(bridge, page)
  followKeyboard(bridge, page)
  bridge.listen('App', 'backButton', ({ canGoBack }) => goBack(bridge, canGoBack === true))
  // The start screen stays until the page has something to show.
  requestAnimationFrame(() => bridge.tell('SplashScreen', 'hide'))
}

/** A dialog is an entry of the history, so back closes it first. From the first page the app stays, out of sight. */
function goBack({ tell }: Bridge, canGoBack: boolean): void {
  if (canGoBack) history.back()
  else tell('App', 'minimizeApp')
}

/** The status bar's text is legible on the page's paper, in the theme chosen here and not in the system's. */
function followTheme({ tell }: Bridge, page: Document): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const tellStyle = () => {
    const chosen = page.documentElement.dataset['theme']
    const isDark = chosen === undefined ? dark.matches : chosen === 'dark'
    tell('StatusBar', 'setStyle', { style: isDark ? 'DARK' : 'LIGHT' })
  }
  dark.addEventListener('change', tellStyle)
  new MutationObserver(tellStyle).observe(page.documentElement, { attributeFilter: ['data-theme'] })
  tellStyle()
}

/** The field that is typed in stays in view above the keyboard. */
function followKeyboard({ listen }: Bridge, page: Document): void {
  listen('Keyboard', 'keyboardDidShow', () => page.activeElement?.scrollIntoView({ block: 'center' }))
}
