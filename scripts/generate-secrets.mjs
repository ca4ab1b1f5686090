import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

// Prints secrets and writes nothing. Without arguments, new ones as lines of an .env file:
// `npm run --silent generate-secrets >> .env`. With `--rotate`, how AUTH_SECRET and VOICE_SECRET, or those that are
// named behind it, change step by step (SECURITY.md).

const names = ['AUTH_SECRET', 'VOICE_SECRET', 'POSTGRES_PASSWORD', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
/** As `npm start` keeps them in secrets.json. */
const kept = { AUTH_SECRET: 'auth', VOICE_SECRET: 'voice' }
const KEYS_MAX = 5

const newSecret = () => randomBytes(32).toString('base64url')

/** @param {string} path */
const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/**
 * What is in use here; undefined: nothing.
 * @param {keyof typeof kept} name
 * @returns {string | undefined}
 */
function presentOf(name) {
  const environment = { ...parseEnv(textOf('.env')), ...process.env }
  const file = join(environment['DATA_DIR'] || '.data', 'secrets.json')
  // Cast: the product writes texts alone.
  const secrets = /** @type {Record<string, string | undefined>} */ (JSON.parse(textOf(file) || '{}'))
  return environment[name] || secrets[kept[name]]
}

/** The keys of a list; a secret that stands alone becomes key 1. @param {string} text */
function keysIn(text) {
  if (!/^\d{1,8}:/.test(text.trim())) return [{ id: 1, secret: text }]
  return text.split(',').map((each) => {
    const [id = '', ...rest] = each.trim().split(':')
    return { id: Number(id), secret: rest.join(':') }
  })
}

/** @param {keyof typeof kept} name */
function rotate(name) {
  const present = presentOf(name)
  if (present === undefined) throw new Error(`${name} is set neither in the environment, nor in .env or secrets.json.`)
  const old = keysIn(present)
  if (old.length >= KEYS_MAX) throw new Error(`${name} lists ${old.length} keys already: take off the last one first.`)
  const made = { id: Math.max(...old.map(({ id }) => id)) + 1, secret: newSecret() }
  const line = (/** @type {typeof old} */ keys) =>
    `${name}=${keys.map(({ id, secret }) => `${id}:${secret}`).join(',')}`
  return [
    `# 1. With several machines: every process learns key ${made.id}. On one machine, begin with 2.`,
    line([...old, made]),
    `# 2. Key ${made.id} signs and seals; the others are still accepted.`,
    line([made, ...old]),
    '# 3. After SECURITY.md\'s waiting time, when "npm run doctor" says that no older key is needed:',
    line([made]),
  ].join('\n')
}

try {
  const [flag, ...named] = process.argv.slice(2)
  const rotatable = Object.keys(kept)
  if (flag !== undefined && flag !== '--rotate') throw new Error(`"${flag}" is not known: say --rotate, or nothing.`)
  const wrong = named.find((name) => !rotatable.includes(name))
  if (wrong !== undefined) throw new Error(`"${wrong}" cannot be rotated here: ${rotatable.join(' and ')} can.`)
  // Cast: checked just now.
  const wanted = /** @type {(keyof typeof kept)[]} */ (named.length > 0 ? named : rotatable)
  const lines = flag === undefined ? names.map((name) => `${name}=${newSecret()}`) : wanted.map(rotate)
  console.log(lines.join('\n'))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
