import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { APP_ID, APP_SCHEME, BRAND } from '@parley/contract'
import type { Element } from '@xmldom/xmldom'
import { describe, expect, test } from 'vitest'
import { MOBILE, readRelease } from './sync.ts'
import { buildSettings, filesOf, text, xml } from './testing.ts'

const APP = 'android/app/src/main'
const ANDROID = 'http://schemas.android.com/apk/res/android'
const TOOLS = 'http://schemas.android.com/tools'
const { version, build } = await readRelease()
const host = buildSettings('ios/brand.xcconfig')['APP_HOST']
const manifest = xml(`${APP}/AndroidManifest.xml`)
const all = (name: string, within: { getElementsByTagName(name: string): Iterable<Element> } = manifest) => [
  ...within.getElementsByTagName(name),
]
const of = (element: Element | undefined, name: string) => element?.getAttributeNS(ANDROID, name) ?? undefined
/** The brand in brand.gradle, as written. */
const brand = Object.fromEntries(
  [...text('android/brand.gradle').matchAll(/^ {8}(\w+): (.+),$/gm)].map(([, name = '', value = '']) => [name, value]),
)

test('the project has the id, scheme, version and build of the brand, and the host of the iOS project', () => {
  expect(brand).toEqual({
    id: `'${APP_ID}'`,
    scheme: `'${APP_SCHEME}'`,
    host: `'${host}'`,
    version: `'${version}'`,
    build: String(build),
  })
})

test('build.gradle takes all of these from the brand', () => {
  const gradle = text('android/app/build.gradle')
  expect(gradle).toContain("apply from: '../brand.gradle'")
  for (const line of [
    'applicationId brand.id',
    'versionCode brand.build',
    'versionName brand.version',
    'manifestPlaceholders = [appScheme: brand.scheme, appHost: brand.host]',
  ])
    expect(gradle).toContain(`        ${line}\n`)
})

describe('AndroidManifest.xml', () => {
  const filters = all('intent-filter').map((filter) => ({
    isVerified: of(filter, 'autoVerify') === 'true',
    categories: all('category', filter).map((category) => of(category, 'name')?.split('.').at(-1)),
    data: all('data', filter).flatMap((data) => [...data.attributes].map(({ name, value }) => `${name}=${value}`)),
  }))

  test('opens the app by its scheme', () => {
    expect(filters).toContainEqual({
      isVerified: false,
      categories: ['DEFAULT', 'BROWSABLE'],
      data: ['android:scheme=${appScheme}'],
    })
  })

  test("opens the app by the host's verified https links of mails, calls and returns", () => {
    expect(filters).toContainEqual({
      isVerified: true,
      categories: ['DEFAULT', 'BROWSABLE'],
      data: [
        'android:scheme=https',
        'android:host=${appHost}',
        'android:path=/verify-email',
        'android:path=/reset-password',
        'android:path=/dashboard',
        'android:pathPrefix=/calls/',
        'android:pathPrefix=/app/',
      ],
    })
  })

  test('asks, with its plugins, for these permissions alone', () => {
    const removed = all('uses-permission').filter((element) => element.getAttributeNS(TOOLS, 'node') === 'remove')
    const manifests = [manifest, ...pluginFolders().map((folder) => xml(`${folder}/src/main/AndroidManifest.xml`))]
    const asked = new Set(manifests.flatMap((each) => all('uses-permission', each)).map((each) => of(each, 'name')))
    for (const element of removed) asked.delete(of(element, 'name'))
    const expected =
      'ACCESS_NETWORK_STATE INTERNET MODIFY_AUDIO_SETTINGS POST_NOTIFICATIONS RECORD_AUDIO USE_BIOMETRIC VIBRATE WAKE_LOCK'
    expect(asked).toEqual(new Set(expected.split(' ').map((name) => `android.permission.${name}`)))
  })

  test('gives a reason above each group of permissions', () => {
    const reasons = text(`${APP}/AndroidManifest.xml`).match(/-->\s+<uses-permission/g)
    expect(reasons).toHaveLength(5)
    expect(text(`${APP}/AndroidManifest.xml`)).toMatch(
      /<!-- Taking over a call[^>]+-->\s+<uses-permission[^>]+RECORD_AUDIO/,
    )
  })

  test('backs nothing up, takes nothing to a new phone and sends nothing in the clear', () => {
    const [application] = all('application')
    expect(of(application, 'allowBackup')).toBe('false')
    expect(of(application, 'usesCleartextTraffic')).toBe('false')
    const security = xml(`${APP}/res/xml/network_security_config.xml`)
    expect(all('base-config', security).map((each) => each.getAttribute('cleartextTrafficPermitted'))).toEqual([
      'false',
    ])
    expect(all('domain-config', security)).toEqual([])
    expect(all('certificates', security).map((each) => each.getAttribute('src'))).toEqual(['system'])
    const rules = xml(`${APP}/res/xml/data_extraction_rules.xml`)
    for (const way of ['cloud-backup', 'device-transfer'])
      expect(all('exclude', all(way, rules)[0]).map((each) => each.getAttribute('domain'))).toEqual(
        expect.arrayContaining(['root', 'file', 'database', 'sharedpref', 'external']),
      )
  })

  test('sees the browsers of the phone', () => {
    const [queries] = all('queries')
    expect(all('intent', queries).map((intent) => all('data', intent).map((data) => of(data, 'scheme')))).toEqual([
      ['https'],
      [],
    ])
    expect(all('action', queries).map((action) => of(action, 'name'))).toContain(
      'android.support.customtabs.action.CustomTabsService',
    )
  })

  test('exports the start of the app and nothing else', () => {
    const parts = ['activity', 'provider', 'service', 'receiver'].flatMap((name) => all(name))
    expect(parts.filter((part) => of(part, 'exported') !== 'false').map((part) => of(part, 'name'))).toEqual([
      '.MainActivity',
    ])
    const [, namespace = ''] = /namespace = "(.+)"/.exec(text('android/app/build.gradle')) ?? []
    const activity = text(`${APP}/java/${namespace.replaceAll('.', '/')}/MainActivity.java`)
    expect(activity).toContain(`package ${namespace};`)
    expect(activity).toContain('class MainActivity extends BridgeActivity')
  })

  test('shares files of the cache alone', () => {
    const paths = xml(`${APP}/res/xml/file_paths.xml`).documentElement
    expect(
      [...(paths?.childNodes ?? [])].map(({ nodeName }) => nodeName).filter((name) => !name.startsWith('#')),
    ).toEqual(['cache-path'])
  })
})

describe('resources', () => {
  const folder = join(MOBILE, APP, 'res')
  const files = [...filesOf(folder).keys()]

  test('are well-formed', () => {
    const documents = files.filter((path) => path.endsWith('.xml'))
    expect(documents.length).toBeGreaterThan(8)
    for (const path of documents) xml(`${APP}/res/${path}`)
  })

  test('exist wherever one is named', () => {
    const defined = new Set(
      files.flatMap((path) => {
        const [kind = ''] = path.split(/[-/]/)
        if (kind !== 'values') return [`${kind}/${/([^/.]+)\.\w+$/.exec(path)?.[1]}`]
        const { documentElement } = xml(`${APP}/res/${path}`)
        return all('*', documentElement ?? undefined)
          .filter((each) => each.tagName !== 'item')
          .map((each) => `${each.tagName}/${each.getAttribute('name')}`)
      }),
    )
    const xmls = [
      `${APP}/AndroidManifest.xml`,
      ...files.filter((path) => path.endsWith('.xml')).map((path) => `${APP}/res/${path}`),
    ]
    const named = xmls.flatMap((path) =>
      [...text(path).matchAll(/@(?!\+|android:)(\w+\/[\w.]+)/g)].map(([, name]) => name),
    )
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((name) => !defined.has(name ?? ''))).toEqual([])
  })

  test("have the product's name, its colours and the host's passwords", () => {
    const values = new Map(
      all('*', xml(`${APP}/res/values/brand.xml`)).map((each) => [each.getAttribute('name'), each.textContent]),
    )
    expect(values.get('app_name')).toBe(BRAND.product)
    expect(values.get('asset_statements')?.replaceAll('\\"', '"')).toBe(
      `[{"include":"https://${host}/.well-known/assetlinks.json"}]`,
    )
  })
})

describe('Gradle', () => {
  const settings = ['settings', 'variables', 'brand', 'capacitor.settings', 'build'].map((name) => `${name}.gradle`)
  const scripts = [...settings, 'app/build.gradle', 'app/capacitor.build.gradle'].map((path) => `android/${path}`)

  test.each(scripts)('%s has a closing sign for each opening one', (path) => {
    expect(openedIn(text(path))).toBe('')
  })

  test('includes the projects that the app depends on, and they are installed', () => {
    const settings = text('android/capacitor.settings.gradle')
    const included = [...settings.matchAll(/project\('(:.+)'\)\.projectDir = new File\('(.+)'\)/g)]
    expect(
      included.map(([, , folder = '']) => folder).filter((folder) => !existsSync(join(MOBILE, 'android', folder))),
    ).toEqual([])
    const needed = [...text('android/app/capacitor.build.gradle').matchAll(/implementation project\('(:.+)'\)/g)]
    expect(new Set([':capacitor-android', ...needed.map(([, name]) => name)])).toEqual(
      new Set(included.map(([, name]) => name)),
    )
    expect(settings).not.toContain('social-login')
  })

  test('has Firebase and its plugin only where its settings are', () => {
    const hasFirebase = existsSync(join(MOBILE, 'android/app/google-services.json'))
    expect(text('android/capacitor.settings.gradle').includes('push-notifications')).toBe(hasFirebase)
    expect(text('android/app/build.gradle')).toMatch(
      /if \(file\('google-services\.json'\)\.exists\(\)\) \{\n {4}apply plugin: 'com\.google\.gms\.google-services'\n\}/,
    )
  })

  test('builds for the systems that the installed Capacitor supports', () => {
    const supported = text('../../node_modules/@capacitor/android/capacitor/build.gradle')
    const variables = text('android/variables.gradle')
    for (const name of ['minSdkVersion', 'compileSdkVersion', 'targetSdkVersion']) {
      const ours = Number(new RegExp(`${name} = (\\d+)`).exec(variables)?.[1])
      const theirs = Number(new RegExp(`rootProject\\.ext\\.${name} : (\\d+)`).exec(supported)?.[1])
      expect([name, ours]).toEqual([name, theirs])
    }
  })
})

test('the packages of Capacitor are of one generation, and those that package.json names', () => {
  const { dependencies } = JSON.parse(text('package.json')) as { dependencies: Record<string, string> }
  const require = createRequire(import.meta.url)
  const official = Object.entries(dependencies).filter(([name]) => name.startsWith('@capacitor/'))
  expect(official.length).toBeGreaterThan(10)
  for (const [name, wanted] of official) {
    const { version: installed } = require(`${name}/package.json`) as { version: string }
    expect([name, installed, installed.split('.')[0]]).toEqual([name, wanted, '8'])
  }
})

/** Folders of the plugins' Android parts, from apps/mobile. */
function pluginFolders(): string[] {
  const settings = text('android/capacitor.settings.gradle')
  return [...settings.matchAll(/new File\('(.+)'\)/g)].map(([, folder = '']) => join('android', folder))
}

/** The brackets and quotation marks of a Gradle script that nothing closes. */
function openedIn(script: string): string {
  const bare = script.replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/.*|\/\*[^]*?\*\//g, '')
  let open = ''
  for (const sign of bare) {
    const opening = { ')': '(', ']': '[', '}': '{' }[sign]
    if (opening !== undefined && open.endsWith(opening)) open = open.slice(0, -1)
    else if ('()[]{}"\''.includes(sign)) open += sign
  }
  return open
}
