import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const shell = '/usr/bin/chromium-headless-shell'

/** Any Chrome will do for the tests in a browser; CHROMIUM_PATH names one that stands elsewhere. */
export function findChromium() {
  return process.env.CHROMIUM_PATH || browsers.find((path) => existsSync(path))
}

/** The same engine without windows, a third faster over a journey. Falls back to the whole browser. */
export function findHeadlessShell() {
  return process.env.HEADLESS_SHELL_PATH || (existsSync(shell) ? shell : findChromium())
}

/** Installs both if permitted; only the whole browser is required. */
export function ensureChromium() {
  const missing = [
    ...(findChromium() ? [] : ['chromium']),
    ...(existsSync(shell) || process.env.CHROMIUM_PATH ? [] : ['chromium-headless-shell']),
  ]
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const apt = (/** @type {string[]} */ ...args) =>
      spawnSync('apt-get', args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    apt('update')
    for (const name of missing) apt('install', '-y', name)
  }
  if (!findChromium())
    console.error(
      'No Chrome or Chromium was found: install one, or name it in CHROMIUM_PATH. Tests in a browser will fail without it.',
    )
}
