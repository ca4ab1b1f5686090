import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { readApiBase } from './config.ts'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const WEB = folder('../../web')
const WEB_BUILD = folder('../../web/dist')
const OUT = folder('../www')

/** Copies the web build and adds the native shell's script to its pages, for `cap sync`. */
await build({ root: WEB, logLevel: 'warn' })
await rm(OUT, { recursive: true, force: true })
// Files are read from the device, so no compressed copies; the start page is the app, not the landing page.
await cp(WEB_BUILD, OUT, { recursive: true, filter: (path) => !/\.(br|gz)$|landing(\.\w+)?\.html$/.test(path) })
await build({
  root: folder('..'),
  configFile: false,
  logLevel: 'warn',
  define: { API_BASE: JSON.stringify(readApiBase()) },
  build: {
    outDir: OUT,
    emptyOutDir: false,
    lib: { entry: folder('shell.ts'), formats: ['iife'], name: 'parleyShellScript', fileName: () => 'shell.js' },
  },
})
const page = await readFile(`${OUT}/index.html`, 'utf8')
await writeFile(`${OUT}/index.html`, page.replace('<head>', '<head><script src="/shell.js"></script>'))
