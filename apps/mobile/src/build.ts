import { existsSync } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { readApiBase } from './config.ts'
import { shellPage } from './page.ts'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const WEB = folder('../../web')
const WEB_BUILD = folder('../../web/dist')
const OUT = folder('../www')

/** Copies the web build and names the backend in its page, for `cap sync`. */
await build({ root: WEB, logLevel: 'warn' })
await rm(OUT, { recursive: true, force: true })
// Files are read from the device, so no compressed copies; the start page is the app, not the landing page.
await cp(WEB_BUILD, OUT, { recursive: true, filter: (path) => !/\.(br|gz)$|landing(\.\w+)?\.html$/.test(path) })
const pushServices = ['ios', ...(existsSync(folder('../android/app/google-services.json')) ? ['android'] : [])]
const page = await readFile(`${OUT}/index.html`, 'utf8')
await writeFile(`${OUT}/index.html`, shellPage(page, readApiBase(), pushServices))
