import { BRAND, type ShellPlatform } from '@parley/contract'

/** Checked in this order: most user agents also name the browsers they derive from. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** A readable name such as 'Firefox on Linux', from the user agent. */
export function deviceOf(userAgent: string | null): string {
  const find = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  if (browser === undefined) return system ?? 'Unknown device'
  return system === undefined ? browser : `${browser} on ${system}`
}

/** Of a native app: 'Parley on iPad', 'Parley on Pixel 8'. */
export function phoneOf(platform: ShellPlatform, userAgent: string | null): string {
  const pattern = platform === 'ios' ? /(iPhone|iPad|iPod)/ : /Android [^;)]+; ([^;)]+?)(?: Build\/[^;)]*)?[;)]/
  const model = pattern.exec(userAgent ?? '')?.[1]
  // Browsers that hide the model say K.
  return `${BRAND.product} on ${model === undefined || model === 'K' ? PLATFORM_NAMES[platform] : model}`
}

const PLATFORM_NAMES = { ios: 'iOS', android: 'Android' } as const satisfies Record<ShellPlatform, string>
