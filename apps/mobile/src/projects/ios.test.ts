import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { APP_ID, APP_SCHEME, BRAND } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { REASONS } from '../brand.ts'
import { MOBILE, readRelease } from './sync.ts'
import { buildSettings, filesOf, propertyList, text, xml } from './testing.ts'

type Objects = Record<string, Record<string, unknown> & { isa?: string }>
type Xcode = { project(path: string): { parseSync(): { hash: { project: { objects: Record<string, Objects> } } } } }

const require = createRequire(import.meta.url)
const APP = 'ios/App/App'
const { version, build } = await readRelease()
const release = buildSettings('ios/release.xcconfig')
const debug = buildSettings('ios/debug.xcconfig')
const project = (require('xcode') as Xcode).project(join(MOBILE, 'ios/App/App.xcodeproj/project.pbxproj')).parseSync()
  .hash.project.objects
const entries = (isa: string) => Object.entries(project[isa] ?? {}).filter(([id]) => !id.endsWith('_comment'))
const unquoted = (value: unknown) => String(value).replaceAll('"', '')

test('both configurations have the id, name, scheme, version and build of the brand', () => {
  for (const settings of [release, debug])
    expect(settings).toMatchObject({
      PRODUCT_BUNDLE_IDENTIFIER: APP_ID,
      APP_NAME: BRAND.product,
      APP_SCHEME,
      MARKETING_VERSION: version,
      CURRENT_PROJECT_VERSION: String(build),
    })
  expect(release['APP_HOST']).toMatch(/^[a-z\d-]+(\.[a-z\d-]+)+$/)
})

test('only the debug configuration can be inspected and uses the sandbox of push notifications', () => {
  expect([release['CAPACITOR_DEBUG'], release['APS_ENVIRONMENT']]).toEqual(['false', 'production'])
  expect([debug['CAPACITOR_DEBUG'], debug['APS_ENVIRONMENT']]).toEqual(['true', 'development'])
})

describe('Info.plist', () => {
  const info = propertyList(`${APP}/Info.plist`, release)

  test('registers the scheme that sign-in and payments return by', () => {
    expect(info['CFBundleURLTypes']).toEqual([
      { CFBundleTypeRole: 'Viewer', CFBundleURLName: APP_ID, CFBundleURLSchemes: [APP_SCHEME] },
    ])
  })

  test('takes name, version and build from the build settings', () => {
    expect(info).toMatchObject({
      CFBundleDisplayName: BRAND.product,
      CFBundleIdentifier: APP_ID,
      CFBundleShortVersionString: version,
      CFBundleVersion: String(build),
    })
  })

  test('allows no cleartext, no background work and no encryption to be declared', () => {
    expect(info).not.toHaveProperty('NSAppTransportSecurity')
    expect(info).not.toHaveProperty('UIBackgroundModes')
    expect(info['ITSAppUsesNonExemptEncryption']).toBe(false)
  })

  test('gives a reason for each permission, and for no other', () => {
    const asked = Object.keys(info).filter((key) => key.endsWith('UsageDescription'))
    expect(asked.sort()).toEqual(Object.keys(REASONS).sort())
    for (const [key, words] of Object.entries(REASONS)) expect(info[key]).toBe(words.en)
  })

  test('gives the reasons in each language of the app', () => {
    expect(info['CFBundleLocalizations']).toEqual(['en', 'es'])
    for (const language of ['en', 'es'] as const) {
      const strings = text(`${APP}/${language}.lproj/InfoPlist.strings`)
      for (const [key, words] of Object.entries(REASONS)) expect(strings).toContain(`${key} = "${words[language]}";`)
    }
  })

  test('has a reason for each protected interface that a plugin of the project uses', () => {
    const needed = {
      'CNContact(Store|Picker)': 'NSContactsUsageDescription',
      LAContext: 'NSFaceIDUsageDescription',
      'CLLocationManager|PHPhotoLibrary|AVCaptureDevice|EKEventStore': 'none is declared',
    }
    const sources = pluginFolders().flatMap((folder) =>
      [...filesOf(join(MOBILE, folder, 'ios'))].filter(([path]) => path.endsWith('.swift')).map(([, base64]) => base64),
    )
    const swift = sources.map((base64) => Buffer.from(base64, 'base64').toString()).join('\n')
    for (const [use, key] of Object.entries(needed))
      expect([use, new RegExp(`\\b(${use})`).test(swift)]).toEqual([use, key in info])
  })
})

test('entitlements are sign-in with Apple, push and the links and passwords of the host', () => {
  expect(propertyList(`${APP}/App.entitlements`, release)).toEqual({
    'aps-environment': 'production',
    'com.apple.developer.applesignin': ['Default'],
    'com.apple.developer.associated-domains': [
      `applinks:${release['APP_HOST']}`,
      `webcredentials:${release['APP_HOST']}`,
    ],
  })
})

describe('privacy manifest', () => {
  const manifest = propertyList(`${APP}/PrivacyInfo.xcprivacy`)

  test('declares no tracking', () => {
    expect(manifest).toMatchObject({ NSPrivacyTracking: false, NSPrivacyTrackingDomains: [] })
  })

  test('declares what is kept, each linked to the account and for the app alone', () => {
    const types = manifest['NSPrivacyCollectedDataTypes'] as Record<string, unknown>[]
    const prefix = 'NSPrivacyCollectedDataType'
    for (const type of types)
      expect(type).toEqual({
        [prefix]: expect.stringMatching(/^NSPrivacyCollectedDataType[A-Z]\w+$/),
        [`${prefix}Linked`]: true,
        [`${prefix}Tracking`]: false,
        [`${prefix}Purposes`]: ['NSPrivacyCollectedDataTypePurposeAppFunctionality'],
      })
    const kept = new Set(types.map((type) => String(type[prefix]).slice(prefix.length)))
    const expected =
      'AudioData Contacts CustomerSupport DeviceID EmailAddress Name OtherDataTypes OtherUserContent PaymentInfo PhoneNumber PurchaseHistory UserID'
    expect(kept).toEqual(new Set(expected.split(' ')))
  })

  test('gives a reason for each interface that can fingerprint a phone', () => {
    expect(manifest['NSPrivacyAccessedAPITypes']).toEqual([
      {
        NSPrivacyAccessedAPIType: 'NSPrivacyAccessedAPICategoryFileTimestamp',
        NSPrivacyAccessedAPITypeReasons: ['C617.1'],
      },
      {
        NSPrivacyAccessedAPIType: 'NSPrivacyAccessedAPICategoryUserDefaults',
        NSPrivacyAccessedAPITypeReasons: ['CA92.1'],
      },
    ])
  })
})

describe('Xcode project', () => {
  const WRITTEN_BY_SYNC = ['public', 'capacitor.config.json', 'config.xml']

  test('names only files that exist', () => {
    const paths = entries('PBXFileReference')
      .filter(([, file]) => file['sourceTree'] !== 'BUILT_PRODUCTS_DIR')
      .map(([, file]) => ({ path: unquoted(file['path']), isInApp: unquoted(file['sourceTree']) === '<group>' }))
      .filter(({ path }) => !WRITTEN_BY_SYNC.includes(path))
    expect(paths.length).toBeGreaterThan(10)
    const missing = paths.filter(({ path, isInApp }) => !existsSync(join(MOBILE, isInApp ? APP : 'ios/App', path)))
    expect(missing).toEqual([])
  })

  test('has every object that another refers to', () => {
    const known = new Set(Object.keys(project).flatMap((isa) => Object.keys(project[isa] ?? {})))
    const source = text('ios/App/App.xcodeproj/project.pbxproj')
    const used = new Set(source.match(/\b[\dA-F]{24}\b/g))
    expect([...used].filter((id) => !known.has(id))).toEqual([])
  })

  test('copies page, settings, privacy manifest and reasons into the app', () => {
    const [[, phase] = ['', {}]] = entries('PBXResourcesBuildPhase')
    const copied = (phase['files'] as { comment: string }[]).map(({ comment }) => comment.replace(' in Resources', ''))
    expect(copied).toEqual(
      expect.arrayContaining(['public', 'capacitor.config.json', 'PrivacyInfo.xcprivacy', 'InfoPlist.strings']),
    )
  })

  test('takes id, version and build from brand.xcconfig alone, and signs with the entitlements', () => {
    const configurations = entries('XCBuildConfiguration')
    expect(configurations).toHaveLength(4)
    for (const [, configuration] of configurations) {
      const settings = configuration['buildSettings'] as Record<string, unknown>
      for (const name of Object.keys(buildSettings('ios/brand.xcconfig'))) expect(settings).not.toHaveProperty(name)
      expect(configuration['baseConfigurationReference_comment']).toBe(
        `${String(configuration['name']).toLowerCase()}.xcconfig`,
      )
    }
    const ofApp = configurations.filter(([, { buildSettings }]) => 'INFOPLIST_FILE' in (buildSettings as object))
    expect(ofApp).toHaveLength(2)
    for (const [, { buildSettings }] of ofApp)
      expect(buildSettings).toMatchObject({ CODE_SIGN_ENTITLEMENTS: 'App/App.entitlements' })
  })

  test('has well-formed storyboards that name existing pictures and colours', () => {
    const main = xml(`${APP}/Base.lproj/Main.storyboard`)
    expect(main.getElementsByTagName('viewController')[0]?.getAttribute('customClass')).toBe('CAPBridgeViewController')
    const launch = xml(`${APP}/Base.lproj/LaunchScreen.storyboard`)
    expect(launch.getElementsByTagName('imageView')[0]?.getAttribute('image')).toBe('Splash')
    expect(launch.getElementsByTagName('color')[0]?.getAttribute('name')).toBe('Paper')
    for (const name of ['Splash.imageset', 'AppIcon.appiconset']) {
      const { images } = JSON.parse(text(`${APP}/Assets.xcassets/${name}/Contents.json`)) as {
        images: { filename: string }[]
      }
      const paths = images.map(({ filename }) => join(MOBILE, APP, 'Assets.xcassets', name, filename))
      expect(paths.filter((path) => !existsSync(path))).toEqual([])
    }
  })
})

test('the app has the plugins of Package.swift, in the version of the installed Capacitor', () => {
  const manifest = text('ios/App/CapApp-SPM/Package.swift')
  const { version: installed } = require('@capacitor/ios/package.json') as { version: string }
  expect(manifest).toContain(`capacitor-swift-pm.git", exact: "${installed}"`)
  const folders = pluginFolders()
  expect(folders).toHaveLength(15)
  for (const folder of folders) {
    const [, name] = /\bname: "(\w+)"/.exec(text(`${folder}/Package.swift`)) ?? []
    expect(manifest).toContain(`.product(name: "${name}", package: "${name}")`)
  }
})

/** Folders of the plugins in Package.swift, from apps/mobile. */
function pluginFolders(): string[] {
  const manifest = text('ios/App/CapApp-SPM/Package.swift')
  return [...manifest.matchAll(/path: "(.*?)"/g)].map(([, path = '']) => join('ios/App/CapApp-SPM', path))
}
