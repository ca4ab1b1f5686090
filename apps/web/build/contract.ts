import type { Plugin } from 'vite'

const SHAPES = '\0contract-shapes'

/**
 * The page lives by the contract's types, paths and constants; parsing is the server's work.
 * So the contract's Zod shapes are hollow in the browser, and Zod is not shipped.
 */
export function contractWithoutShapes(): Plugin {
  return {
    name: 'contract-without-shapes',
    enforce: 'pre',
    resolveId: (source, importer) => (source === 'zod' && importer?.includes('/packages/contract/') ? SHAPES : undefined),
    load: (id) =>
      id === SHAPES
        ? `const refused = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync'])
           const refuse = () => { throw new Error('Shapes are not checked in the browser') }
           export const z = new Proxy(function () {}, { get: (_, key) => (refused.has(key) ? refuse : z), apply: () => z })`
        : undefined,
  }
}
