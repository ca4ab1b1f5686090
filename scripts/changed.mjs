import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

const CODE = ['*.ts', '*.tsx', '*.mjs', '*.js']

/** @param {string} path */
function digestOf(path) {
  try {
    return createHash('sha1')
      .update(readFileSync(join(root, path)))
      .digest('base64')
  } catch {
    // Listed by git, and deleted here.
    return undefined
  }
}

/** @returns {Record<string, string> | undefined} each file of code with its digest; undefined outside of a checkout */
function codeFiles() {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...CODE], {
    cwd: root,
    encoding: 'utf8',
  })
  if (listed.status !== 0) return undefined
  const names = listed.stdout.split('\0').filter((name) => name !== '')
  /** @type {Record<string, string>} */
  const files = {}
  for (const name of names) {
    const digest = digestOf(name)
    if (digest !== undefined) files[name] = digest
  }
  return files
}

/**
 * What changed since the check of this name last passed. It is remembered beside the packages, for the settings that it
 * then had.
 * @param {string} name
 * @param {string[]} settings files on which every result depends
 * @returns {{ files: string[] | undefined, passed: () => void }} undefined: nothing is known, read everything
 */
export function changedSinceGood(name, settings) {
  const place = join(root, 'node_modules/.cache', `${name}-good.json`)
  const now = { settings: settings.map(digestOf).join(), files: codeFiles() }
  const passed = () => {
    if (!now.files) return
    mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
    writeFileSync(place, JSON.stringify(now))
  }
  try {
    const good = /** @type {{ settings: string, files: Record<string, string> }} */ (
      JSON.parse(readFileSync(place, 'utf8'))
    )
    if (good.settings !== now.settings || !now.files) return { files: undefined, passed }
    return {
      files: Object.entries(now.files).flatMap(([file, digest]) => (good.files[file] === digest ? [] : [file])),
      passed,
    }
  } catch {
    return { files: undefined, passed }
  }
}
