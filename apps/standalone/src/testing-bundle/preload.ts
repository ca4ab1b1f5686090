import { registerHooks } from 'node:module'

// Preloaded by Node: a process that is started with the source of main, api or voice runs its bundle.

const bundles = new URL(import.meta.url).searchParams.get('bundles') ?? ''

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const [, name] = /\/standalone\/src\/(main|api-process|voice-process)\.ts$/.exec(found.url) ?? []
    const isEntry = context.parentURL === undefined
    return isEntry && name !== undefined
      ? { url: `${bundles}${name}.mjs`, format: 'module', shortCircuit: true }
      : found
  },
})
