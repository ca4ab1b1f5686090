import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const PAGE = new URL('../../web/src/lib/platform/native/', import.meta.url).pathname
const CALL = /\b(?:call|tell)\((?:'(\w+)'|([A-Z]+)), '(\w+)'/g
const LISTEN = /\blisten\((?:'(\w+)'|([A-Z]+)), '(\w+)'/g

/** The plugins among the packages of the shells: their names on the bridge, and their native code. */
const plugins = new Map<string, string>()
for (const name of Object.keys(manifest.dependencies).filter((each) => !each.startsWith('@parley/'))) {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  const registered = sourcesIn(folder, 'dist/esm/*.js').match(/registerPlugin\(['"](\w+)['"]/)
  if (registered?.[1]) plugins.set(registered[1], sourcesIn(folder, '{ios,android}/**/*.{swift,m,java,kt}'))
}

function sourcesIn(folder: string, pattern: string): string {
  return globSync(pattern, { cwd: folder })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
}

/** Plugin and method, or event, of every call of this form in the page's native side. */
function named(form: RegExp): [plugin: string, name: string][] {
  return globSync('*.ts', { cwd: PAGE }).flatMap((file) => {
    const source = readFileSync(join(PAGE, file), 'utf8')
    const constant = (name: string) => new RegExp(`const ${name} = '(\\w+)'`).exec(source)?.[1] ?? name
    return [...source.matchAll(form)].map(([, plain, held = '', name = '']): [string, string] => [
      plain ?? constant(held),
      name,
    ])
  })
}

describe('what the page calls on the bridge', () => {
  it('is found in its sources', () => {
    expect(named(CALL).length).toBeGreaterThan(15)
    expect(named(LISTEN).length).toBeGreaterThan(4)
  })

  it.each(named(CALL))('%s.%s is a method of a plugin of the shells', (plugin, method) => {
    expect([...plugins.keys()]).toContain(plugin)
    expect(plugins.get(plugin)).toMatch(new RegExp(String.raw`\b${method}\b`))
  })

  it.each(named(LISTEN))('%s tells of %s', (plugin, event) => {
    expect([...plugins.keys()]).toContain(plugin)
    expect(plugins.get(plugin)).toMatch(new RegExp(String.raw`\b${event}\b`))
  })
})
