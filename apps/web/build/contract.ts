import type { Plugin } from 'vite'

const SHAPES = '\0contract-shapes'
const CONTRACT = /\/packages\/contract\/src\//
/** The parts of a route that the page needs; the rest is for the server. */
const OF_A_ROUTE = new Set(['id', 'method', 'path'])

/**
 * The page uses the contract's types, paths and constants, but does not parse. In the browser build the Zod shapes
 * are replaced by empty ones, routes drop theirs, and Zod is not shipped.
 */
export function contractWithoutShapes(): Plugin[] {
  return [
    {
      name: 'contract-without-shapes',
      enforce: 'pre',
      resolveId: (source, importer) =>
        source === 'zod' && importer?.includes('/packages/contract/') ? SHAPES : undefined,
      load: (id) =>
        id === SHAPES
          ? `const refused = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync'])
             const refuse = () => { throw new Error('Shapes are not checked in the browser') }
             export const z = new Proxy(function () {}, { get: (_, key) => (refused.has(key) ? refuse : z), apply: () => z })`
          : undefined,
    },
    {
      name: 'routes-without-shapes',
      transform: {
        filter: { id: CONTRACT, code: 'defineRoute(' },
        handler(code) {
          const cuts: Span[] = []
          visit(this.parse(code), (node) => cuts.push(...superfluous(node)))
          return cuts
            .toReversed()
            .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end).replace(/^\s*,/, ''), code)
        },
      },
    },
  ]
}

interface Span {
  readonly start: number
  readonly end: number
}

interface Node extends Span {
  readonly type: string
  readonly callee?: { readonly name?: string }
  readonly arguments?: readonly {
    readonly properties?: readonly (Span & { readonly key?: { readonly name?: string } })[]
  }[]
}

/** The properties of defineRoute({...}) that the page does not use. */
function superfluous({ type, callee, arguments: given }: Node): Span[] {
  if (type !== 'CallExpression' || callee?.name !== 'defineRoute') return []
  return (given?.[0]?.properties ?? []).filter(({ key }) => !OF_A_ROUTE.has(key?.name ?? ''))
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  if ('type' in node) see(node as Node)
  for (const child of Object.values(node)) visit(child, see)
}
