import { existsSync } from 'node:fs'
import type { CapacitorConfig } from '@capacitor/cli'
import { SHELL } from './src/brand.ts'

/** Signs in with Apple alone, so Android has no use for it (docs/decisions/0056). */
const SOCIAL_LOGIN = '@capgo/capacitor-social-login'
/** Android's part would end the app where Firebase is not set up; without the plugin the page's call is refused. */
const PUSH = '@capacitor/push-notifications'
// Capacitor reads this file in the folder of its package.json.
const hasFirebase = existsSync('android/app/google-services.json')

const PLUGINS = [
  '@aparajita/capacitor-biometric-auth',
  '@aparajita/capacitor-secure-storage',
  '@capacitor/app',
  '@capacitor/browser',
  '@capacitor/filesystem',
  '@capacitor/haptics',
  '@capacitor/keyboard',
  '@capacitor/local-notifications',
  '@capacitor/network',
  '@capacitor/share',
  '@capacitor/splash-screen',
  '@capacitor/status-bar',
  '@capgo/capacitor-contacts',
]

const config: CapacitorConfig = {
  appId: SHELL.id,
  appName: SHELL.name,
  webDir: 'www',
  // Never in a log of a released app: what the page sends to the phone holds the session.
  loggingBehavior: 'debug',
  android: { includePlugins: hasFirebase ? [...PLUGINS, PUSH] : PLUGINS },
  ios: { includePlugins: [...PLUGINS, PUSH, SOCIAL_LOGIN] },
  plugins: {
    // The page itself moves what the keyboard would cover.
    Keyboard: { resize: 'native' },
    LocalNotifications: { smallIcon: 'ic_stat_mark', iconColor: SHELL.brand },
    // While the app is open the page tells of a call itself.
    PushNotifications: { presentationOptions: [] },
    SocialLogin: { providers: { apple: true, google: false, facebook: false, twitter: false }, logLevel: 1 },
    SplashScreen: { launchAutoHide: true, launchShowDuration: 0 },
  },
}

export default config
