import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const ROUTES = fileURLToPath(new URL('../src/app/routes.ts', import.meta.url))
/** An entry of the routes file: position, path and file of the screen. */
const SCREEN = /getParentRoute: (\w+),\s*path: '([^']+)',\s*component: screen\(\(\) => import\('([^']+)'\)\)/g
/** Loaded by every page. */
const ROUTER = './router.ts'
/** The shell around the member screens. */
const SHELL = ['./shell/Shell.tsx', '../features/calls/live/LiveCalls.tsx'] as const

/** preloads.json: the files each page requests after the app's start, so that the server can preload them. */
export function pagePreloads(): Plugin {
  return {
    name: 'page-preloads',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
        const closure = (names: readonly string[]): Set<string> => {
          const found = new Set<string>()
          const add = (name: string) => {
            if (found.has(name)) return
            found.add(name)
            chunks.find(({ fileName }) => fileName === name)?.imports.forEach(add)
          }
          names.forEach(add)
          return found
        }
        const chunkOf = (file: string) => {
          const path = fileURLToPath(new URL(file, `file://${ROUTES}`))
          const chunk = chunks.find(
            ({ moduleIds, facadeModuleId }) => facadeModuleId === path || moduleIds.includes(path),
          )
          if (!chunk) throw new Error(`${file} of the routes is in no file of the build`)
          return chunk.fileName
        }
        const app = closure(
          chunks.filter(({ isEntry, name }) => isEntry && name === 'index').map(({ fileName }) => fileName),
        )
        const pages = [...readFileSync(ROUTES, 'utf8').matchAll(SCREEN)].map(
          ([, parent = '', path = '', screen = '']) => {
            const files = [ROUTER, screen, ...(parent === 'inShell' ? SHELL : [])].map(chunkOf)
            return [path, [...closure(files)].filter((name) => !app.has(name)).map((name) => `/${name}`)]
          },
        )
        this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify(Object.fromEntries(pages)) })
      },
    },
  }
}
