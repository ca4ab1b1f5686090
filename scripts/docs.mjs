import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Environment as api } from '../apps/api/src/config.ts'
import { Environment as standalone } from '../apps/standalone/src/config.ts'
import { Environment as voice } from '../apps/voice/src/config.ts'
import { main, root, run } from './install.mjs'

// Writes the table of the variables into docs/running.md, and .env.example, from the schemas that read them.
// `--check`: only whether both are there already.

const file = join(root, 'docs/running.md')
const exampleFile = join(root, '.env.example')
const [begin, end] = ['<!-- variables: made by npm run docs -->', '<!-- /variables -->']
/** In the order of the columns and rows: whoever comes first says the default. */
const readers = [
  { name: '`npm start`', shape: standalone.shape },
  { name: 'api', shape: api.shape },
  { name: 'voice', shape: voice.shape },
]

/**
 * @typedef {{ meta(): Record<string, unknown> | undefined, safeParse(value: unknown): { success: boolean, data?:
 * unknown } }} Field
 */
/** @typedef {{ description: string, values: Map<string, string> }} Row */

/**
 * @param {string} name
 * @param {Field} field
 */
function said(name, field) {
  const { description, unset } = field.meta() ?? {}
  if (typeof description !== 'string') throw new Error(`${name} has no description in its config.ts.`)
  const { success, data } = field.safeParse(undefined)
  const value = typeof unset === 'string' ? unset : success ? textOf(data) : 'required'
  return { description, value }
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function rows() {
  /** @type {Map<string, Row>} */
  const found = new Map()
  for (const { name: reader, shape } of readers) {
    for (const [name, field] of Object.entries(shape)) {
      const { description, value } = said(name, /** @type {Field} */ (field))
      const row = found.get(name) ?? { description, values: new Map() }
      if (row.description !== description)
        throw new Error(`${name} is described in two ways: "${row.description}" and "${description}".`)
      row.values.set(reader, value)
      found.set(name, row)
    }
  }
  return [...found]
}

/** @param {Map<string, string>} values */
function defaultOf(values) {
  const [first = ['', '']] = values
  const others = [...values].filter(([, value]) => value !== first[1])
  return [first[1], ...others.map(([reader, value]) => `${reader} alone: ${value}`)]
    .filter((text) => text !== '')
    .join('; ')
}

function table() {
  const lines = rows().map(([name, { description, values }]) => `| ${name} | ${defaultOf(values)} | ${description} |`)
  return ['| variable | default | meaning |', '| --- | --- | --- |', ...lines].join('\n')
}

/** Without what a formatter adds to line columns up. @param {string} text */
const plain = (text) => text.replaceAll(/-{3,}/g, '---').replaceAll(/ +/g, ' ').trim()

function example() {
  const variables = rows().map(([name, { description, values }]) => {
    const unset = defaultOf(values)
    const isRequired = unset.startsWith('required')
    return `# ${description}${unset === '' || isRequired ? '' : ` (without it: ${unset})`}\n# ${name}=\n`
  })
  return [
    '# Copy this file to .env, which `npm start` reads. Variables that are set already take precedence.\n',
    ...variables,
  ].join('\n')
}

/** @returns {Promise<string[]>} the files that are not as the schemas say */
async function stale() {
  const text = await readFile(file, 'utf8')
  const [from, until] = [text.indexOf(begin), text.indexOf(end)]
  if (from === -1 || until === -1) throw new Error(`docs/running.md lacks the marks "${begin}" and "${end}".`)
  const isTableThere = plain(text.slice(from + begin.length, until)) === plain(table())
  const isExampleThere = (await readFile(exampleFile, 'utf8').catch(() => '')) === example()
  return [...(isTableThere ? [] : [file]), ...(isExampleThere ? [] : [exampleFile])]
}

await main(async () => {
  const files = await stale()
  if (files.length === 0) return 0
  if (process.argv.includes('--check'))
    throw new Error(
      `The variables in ${files.map((path) => relative(root, path)).join(' and ')} are not those of the configuration. Run "npm run docs".`,
    )
  const text = await readFile(file, 'utf8')
  await writeFile(
    file,
    `${text.slice(0, text.indexOf(begin) + begin.length)}\n\n${table()}\n\n${text.slice(text.indexOf(end))}`,
  )
  await writeFile(exampleFile, example())
  return run('oxfmt', [file])
})
