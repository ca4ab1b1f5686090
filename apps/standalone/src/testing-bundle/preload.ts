import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Preloaded by Node: a process that is started with a source that bundle.ts has bundled runs the bundle.

const list = new URL(new URL(import.meta.url).searchParams.get('list') ?? '')
/** Bundles by the URLs of their sources. */
const bundles = new Map(Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>))

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const bundle = context.parentURL === undefined ? bundles.get(found.url) : undefined
    return bundle === undefined ? found : { url: new URL(bundle, list).href, format: 'module', shortCircuit: true }
  },
})
