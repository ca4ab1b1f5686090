import { readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import config from '../../capacitor.config.ts'
import { SHELL } from '../brand.ts'
import { readApiBase } from '../config.ts'
import { brandFiles } from './files.ts'
import { readMark, vectorOf } from './mark.ts'
import { digestOf, PICTURES } from './pictures.ts'
import { capacitorSync, MARK, MOBILE, readRelease } from './sync.ts'
import { buildSettings, filesOf, text } from './testing.ts'

// Longer than 20 s: Capacitor's own program writes both native projects again and again.

const svg = await readFile(MARK, 'utf8')
const host = buildSettings('ios/brand.xcconfig')['APP_HOST'] ?? ''
const made: string[] = []
afterAll(() => Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true }))))

describe('projects', () => {
  test('are in step with brand, version and mark', async () => {
    const written = brandFiles({ host, ...(await readRelease()) }, readMark(svg))
    expect(written.size).toBe(10)
    for (const [path, expected] of written) expect([path, text(path)]).toEqual([path, expected])
  })

  test('have pictures drawn from the present mark, in their sizes', () => {
    expect(JSON.parse(text('pictures.json'))).toEqual({ digest: digestOf(svg) })
    for (const { path, side, background } of PICTURES) {
      const png = Buffer.from(base64Of(path), 'base64')
      const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
      // 2 is RGB, 6 is RGB with transparency.
      expect([path, width, height, png[25]]).toEqual([path, side, side, background === undefined ? 6 : 2])
      expect([path, png.length < 30_000]).toEqual([path, true])
    }
  })

  test('have the colours of the page', () => {
    const theme = text('../web/src/theme.css')
    expect(theme).toContain(`--color-paper: light-dark(${SHELL.paper.light}, ${SHELL.paper.dark})`.toLowerCase())
    expect(theme).toContain(`--color-brand: light-dark(${SHELL.brand},`.toLowerCase())
  })

  test('stay as they are in another sync, and in one more', async () => {
    const { folder, mobile } = await copyOfProjects()
    const before = projectFiles(MOBILE)
    for (const _ of ['first', 'second']) {
      await capacitorSync(mobile)
      expect(changed(before, projectFiles(mobile))).toEqual([])
    }
    const socialLogin = await readFile(join(folder, 'node_modules/@capgo/capacitor-social-login/Package.swift'), 'utf8')
    const dependencies = socialLogin.split('\n').filter((line) => /^\s*\.(package|product)\(/.test(line))
    expect(dependencies.join('\n')).toContain('Alamofire')
    expect(dependencies.join('\n')).not.toMatch(/google|facebook|twitter/i)
  })

  test('change with the plugins', async () => {
    const { mobile } = await copyOfProjects({ ...config, ios: { includePlugins: ['@capacitor/app'] } })
    await capacitorSync(mobile)
    expect(changed(projectFiles(MOBILE), projectFiles(mobile))).toEqual(['ios/App/CapApp-SPM/Package.swift'])
  })
})

describe('readApiBase', () => {
  test.each([undefined, '', 'parley.example', 'http://parley.example', 'parley://billing'])(
    'asks in one sentence for an https address instead of %s',
    (address) => {
      expect(() => readApiBase({ PARLEY_API_BASE: address })).toThrow(
        /^Set PARLEY_API_BASE to the https address of your hosted backend: [^.]+….$/,
      )
    },
  )

  test('leaves out the path of an address', () => {
    expect(readApiBase({ PARLEY_API_BASE: 'https://parley.example/app/' })).toBe('https://parley.example')
  })
})

describe('mark', () => {
  const MARK_SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">'

  test('becomes a vector in the middle of its square, in one colour cut out of its first path', () => {
    const mark = readMark(`${MARK_SVG}<path fill="#abc" d="M0 0h9v9z"/><path fill="#ffffff" d="M1 1h2z"/></svg>`)
    const colored = vectorOf(mark, { size: 100, share: 0.5 })
    expect(colored).toContain('android:scaleX="5"')
    expect(colored).toContain('android:translateX="25"')
    expect(colored.match(/fillColor="(.+)"/g)).toEqual(['fillColor="#AABBCC"', 'fillColor="#FFFFFF"'])
    const plain = vectorOf(mark, { size: 100, share: 0.5, ink: '#000000' })
    expect(plain.match(/pathData="(.+)"/g)).toEqual(['pathData="M0 0h9v9zM1 1h2z"'])
  })

  test.each([
    '<circle r="1" fill="#abc"/>',
    '<path d="M0 0z"/>',
    '<path fill="#abc" d="M0 0z" transform="scale(2)"/>',
    '<g><path fill="#abc" d="M0 0z"/></g>',
    '',
  ])('is refused when drawn with %s', (drawing) => {
    expect(() => readMark(`${MARK_SVG}${drawing}</svg>`)).toThrow('The mark must be filled paths alone')
  })
})

const base64Of = (path: string) => readFileSync(join(MOBILE, path), 'base64')

/** What a sync may write, without what git ignores. */
function projectFiles(mobile: string): Map<string, string> {
  const ignored =
    /assets\/public|capacitor\.(config|plugins)\.json|config\.xml|capacitor-cordova-|App\/public\/|^android\/(\.gradle|.*\/build)\//
  const files = ['ios', 'android'].flatMap((platform) =>
    [...filesOf(join(mobile, platform))].map(([path, content]) => [`${platform}/${path}`, content] as const),
  )
  return new Map(files.filter(([path]) => !ignored.test(path)))
}

function changed(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))
}

/** Copies of both projects and of their plugins, because a plugin's own step changes the plugin. */
async function copyOfProjects(settings = config) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-shells-'))
  made.push(folder)
  const mobile = join(folder, 'apps/mobile')
  for (const platform of ['ios', 'android'])
    await cp(join(MOBILE, platform), join(mobile, platform), { recursive: true, filter: isNoBuild })
  for (const scope of ['@capacitor', '@capgo', '@aparajita'])
    await cp(join(MOBILE, '../../node_modules', scope), join(folder, 'node_modules', scope), { recursive: true })
  await cp(join(MOBILE, 'package.json'), join(mobile, 'package.json'))
  await mkdir(join(mobile, 'www'))
  await writeFile(join(mobile, 'www/index.html'), '<!doctype html>')
  await writeFile(join(mobile, 'capacitor.config.json'), JSON.stringify(settings))
  return { folder, mobile }
}

const isNoBuild = (path: string) => !/\/(\.gradle|build|public)$/.test(path)
