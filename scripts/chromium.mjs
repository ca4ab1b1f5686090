import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Any Chrome will do for the tests in a browser; CHROMIUM_PATH names one that stands elsewhere. */
export function findChromium() {
  return process.env.CHROMIUM_PATH || places.find((path) => existsSync(path))
}

export function ensureChromium() {
  if (findChromium()) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const apt = (/** @type {string[]} */ ...args) =>
      spawnSync('apt-get', args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    apt('update')
    apt('install', '-y', 'chromium')
  }
  if (!findChromium())
    console.error('No Chrome or Chromium was found: install one, or name it in CHROMIUM_PATH. Tests in a browser will fail without it.')
}
