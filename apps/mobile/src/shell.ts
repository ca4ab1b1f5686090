import { App } from '@capacitor/app'
import { Browser } from '@capacitor/browser'
import { Capacitor } from '@capacitor/core'
import { SocialLogin } from '@capgo/capacitor-social-login'
import { APP_SCHEME, BRAND } from '@parley/contract'
import { pathOfAppLink, sendLinksOutside } from './links.ts'

/** The API for the page; see lib/native/native.ts of the web app. */
interface Shell {
  readonly platform: 'ios' | 'android'
  readonly apiBase: string
  signInWithApple(request: {
    redirectUri: string
    scopes: string
    state: string
  }): Promise<{ identityToken: string; authorizationCode: string; user?: unknown }>
}

/** Replaced at build time. */
declare const API_BASE: string

const platform = Capacitor.getPlatform()

async function signInWithApple(request: { redirectUri: string; scopes: string; state: string }) {
  if (platform !== 'ios') throw new Error('Apple Sign In only available on iOS')
  await SocialLogin.initialize({ apple: { redirectUrl: request.redirectUri } })
  const { result } = await SocialLogin.login({
    provider: 'apple',
    options: { scopes: request.scopes.split(' '), state: request.state },
  })
  if (result.idToken === null) throw new Error('Apple returned no identity token.')
  return { identityToken: result.idToken, authorizationCode: result.authorizationCode ?? '', user: result.profile }
}

if (platform === 'ios' || platform === 'android') {
  const shell: Shell = { platform, apiBase: API_BASE, signInWithApple }
  Object.assign(globalThis, { parleyShell: shell })
  sendLinksOutside(
    document,
    (url) => Browser.open({ url, toolbarColor: BRAND.toolbarColor }),
    (url) => window.location.assign(url),
  )
  void App.addListener('appUrlOpen', ({ url }) => {
    const path = pathOfAppLink(url, APP_SCHEME)
    if (path !== undefined) window.location.assign(path)
  })
}
