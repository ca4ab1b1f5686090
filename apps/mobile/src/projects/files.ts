import { REASONS, SHELL } from '../brand.ts'
import { vectorOf, type Mark } from './mark.ts'

export interface Release {
  /** As the users see it: the version of apps/mobile/package.json. */
  readonly version: string
  /** Grows with every upload to a store. */
  readonly build: number
  /** Of the hosted backend, whose https links open the app. */
  readonly host: string
}

const NOTE = 'Written by `npm run mobile:sync` from apps/mobile/src/brand.ts.'

/** The files of both projects that the brand decides, by their path in apps/mobile. */
export function brandFiles(release: Release, mark: Mark): ReadonlyMap<string, string> {
  const resources = 'android/app/src/main/res'
  return new Map([
    ['ios/brand.xcconfig', xcconfig(release)],
    ['ios/App/App/en.lproj/InfoPlist.strings', infoStrings('en')],
    ['ios/App/App/es.lproj/InfoPlist.strings', infoStrings('es')],
    ['ios/App/App/Assets.xcassets/Paper.colorset/Contents.json', colorSet()],
    ['android/brand.gradle', gradle(release)],
    [`${resources}/values/brand.xml`, values(release)],
    [`${resources}/values-night/brand.xml`, nightValues()],
    [`${resources}/drawable/ic_launcher_foreground.xml`, vectorOf(mark, { size: 108, share: 0.5 })],
    [`${resources}/drawable/ic_launcher_monochrome.xml`, vectorOf(mark, { size: 108, share: 0.5, ink: '#FFFFFFFF' })],
    [`${resources}/drawable/ic_stat_mark.xml`, vectorOf(mark, { size: 24, share: 0.92, ink: '#FFFFFFFF' })],
  ])
}

/** In a value of these settings `//` would begin a comment: a host has none. */
function xcconfig({ version, build, host }: Release): string {
  return `// ${NOTE}
APP_NAME = ${SHELL.name}
APP_SCHEME = ${SHELL.scheme}
APP_HOST = ${host}
PRODUCT_BUNDLE_IDENTIFIER = ${SHELL.id}
MARKETING_VERSION = ${version}
CURRENT_PROJECT_VERSION = ${build}
`
}

function gradle({ version, build, host }: Release): string {
  return `// ${NOTE}
ext {
    brand = [
        id: '${SHELL.id}',
        scheme: '${SHELL.scheme}',
        host: '${host}',
        version: '${version}',
        build: ${build},
    ]
}
`
}

function infoStrings(language: 'en' | 'es'): string {
  const lines = Object.entries(REASONS).map(([key, words]) => `${key} = ${JSON.stringify(words[language])};`)
  return `/* ${NOTE} */\n${lines.join('\n')}\n`
}

function colorSet(): string {
  const color = (hex: string) => ({
    'color-space': 'srgb',
    components: {
      alpha: '1.000',
      red: `0x${hex.slice(1, 3)}`,
      green: `0x${hex.slice(3, 5)}`,
      blue: `0x${hex.slice(5, 7)}`,
    },
  })
  const colors = [
    { color: color(SHELL.paper.light), idiom: 'universal' },
    {
      appearances: [{ appearance: 'luminosity', value: 'dark' }],
      color: color(SHELL.paper.dark),
      idiom: 'universal',
    },
  ]
  return `${JSON.stringify({ colors, info: { author: 'xcode', version: 1 } }, null, 2)}\n`
}

function values({ host }: Release): string {
  const statements = JSON.stringify([{ include: `https://${host}/.well-known/assetlinks.json` }])
  return `<?xml version="1.0" encoding="utf-8"?>
<!-- ${NOTE} -->
<resources>
    <string name="app_name" translatable="false">${SHELL.name}</string>
    <string name="asset_statements" translatable="false">${statements.replaceAll('"', '\\"')}</string>
    <color name="brand">${SHELL.brand}</color>
    <color name="paper">${SHELL.paper.light}</color>
    <color name="icon_paper">${SHELL.paper.light}</color>
</resources>
`
}

function nightValues(): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<!-- ${NOTE} -->
<resources>
    <color name="paper">${SHELL.paper.dark}</color>
</resources>
`
}
