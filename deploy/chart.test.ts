import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { HEAP_OPTIONS } from '../apps/voice/src/heap.ts'
import { CALL_MINUTES_MAX } from '../packages/contract/src/index.ts'

const CHART = fileURLToPath(new URL('helm/parley', import.meta.url))
const RENDER = fileURLToPath(new URL('helm/render.go', import.meta.url))
const GOPATH = '/usr/share/gocode'
const canRender =
  existsSync(join(GOPATH, 'src/github.com/Masterminds/sprig')) && spawnSync('go', ['version']).status === 0

type Tree = Readonly<Record<string, unknown>>
const yaml = async (file: string): Promise<Tree> => parse(await readFile(join(CHART, file), 'utf8'))

/** Values are objects or replace what was there. */
function merged(base: Tree, more: Tree): Tree {
  const entries = Object.entries(more).map(([name, value]) => {
    const before = base[name]
    return [name, isTree(before) && isTree(value) ? merged(before, value) : value] as const
  })
  return { ...base, ...Object.fromEntries(entries) }
}
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

const GOOD = {
  publicUrl: 'https://parley.example',
  existingSecret: 'parley',
  carrier: 'twilio',
  s3: { bucket: 'recordings' },
  voice: { domain: 'voice.example' },
}

describe('values.schema.json', () => {
  const check = async (more: Tree) => {
    const schema = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8'))
    return new Ajv({ strict: false }).validate(schema, merged(await yaml('values.yaml'), more))
  }

  test('takes the least that must be given, and knows every value of values.yaml', async () => {
    expect(await check(GOOD)).toBe(true)
  })

  test.each([
    { publicUrl: 'http://parley.example' },
    { existingSecret: '' },
    { carrier: '' },
    { carrier: 'simulated,twilio' },
    { s3: { bucket: '' } },
    { voice: { longestCallMinutes: CALL_MINUTES_MAX } },
    { voice: { replica: 3 } },
    { autoscaling: { targetPercent: 100 } },
    { env: { LIMIT: 3 } },
  ])('refuses %j', async (wrong) => {
    expect(await check(merged(GOOD, wrong))).toBe(false)
  })
})

describe.skipIf(!canRender)('the chart', () => {
  let folder: string
  let program: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-chart-'))
    program = join(folder, 'render')
    const env = { ...process.env, GO111MODULE: 'off', GOPATH, GOCACHE: join(folder, 'cache') }
    const built = spawnSync('go', ['build', '-o', program, RENDER], { env, encoding: 'utf8' })
    if (built.status !== 0) throw new Error(built.stderr)
  }, 240_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  interface Resource {
    readonly kind: string
    readonly metadata: { readonly name: string }
    // What Kubernetes takes is not typed here: the tests say what they expect of it.
    readonly spec: unknown
  }
  const render = async (more: Tree): Promise<Resource[]> => {
    const { version, appVersion } = await yaml('Chart.yaml')
    const input = JSON.stringify({
      Values: merged(merged(await yaml('values.yaml'), GOOD), more),
      Release: { Name: 'blue', Namespace: 'calls', Service: 'Helm' },
      Chart: { Version: version, AppVersion: appVersion },
    })
    const { status, stdout, stderr } = spawnSync(program, [join(CHART, 'templates')], { input, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    const files: Record<string, string> = JSON.parse(stdout)
    return Object.values(files).flatMap((text) => parseAllDocuments(text).flatMap((each) => each.toJS() ?? []))
  }
  const named = (resources: readonly Resource[], kind: string, name: string) =>
    resources.find((each) => each.kind === kind && each.metadata.name === name)

  test('with the least values has api, worker, voice nodes with a service each, and migrations before', async () => {
    const resources = await render({})
    expect(resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()).toEqual(
      [
        'Deployment blue-parley-api',
        'Deployment blue-parley-worker',
        'Job blue-parley-migrate',
        'NetworkPolicy blue-parley-api',
        'Pod blue-parley-test-ready',
        'PodDisruptionBudget blue-parley-api',
        'PodDisruptionBudget blue-parley-voice',
        'PodDisruptionBudget blue-parley-worker',
        'Service blue-parley-api',
        'Service blue-parley-api-internal',
        'Service blue-parley-voice',
        'Service blue-parley-voice-0',
        'Service blue-parley-voice-1',
        'StatefulSet blue-parley-voice',
      ].toSorted(),
    )
  })

  test('a voice pod has the longest call and two minutes to end, an address of its own, and is not evicted', async () => {
    const voice = named(await render({}), 'StatefulSet', 'blue-parley-voice')
    expect(voice).toMatchObject({
      spec: {
        template: {
          metadata: { annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' } },
          spec: {
            terminationGracePeriodSeconds: (CALL_MINUTES_MAX + 1) * 60 + 120,
            securityContext: { runAsNonRoot: true, runAsUser: 10001 },
            containers: [
              {
                image: 'parley:0.1.0',
                args: [...HEAP_OPTIONS, 'apps/voice/src/server.ts'],
                securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
                env: expect.arrayContaining([
                  { name: 'PARLEY_ENV', value: 'production' },
                  { name: 'PRIVATE_URL', value: 'http://$(NODE_ID).blue-parley-voice.calls.svc:3001' },
                  { name: 'PUBLIC_VOICE_URL', value: 'https://$(NODE_ID).voice.example' },
                  { name: 'DRAIN_MINUTES', value: '31' },
                ]),
              },
            ],
          },
        },
      },
    })
  })

  test('with autoscaling, KEDA sets the number of nodes by the leases, and each possible node has its service', async () => {
    const resources = await render({ autoscaling: { enabled: true, maxReplicas: 4 }, pooler: true })
    expect(named(resources, 'StatefulSet', 'blue-parley-voice')?.spec).not.toHaveProperty('replicas')
    expect(named(resources, 'ScaledObject', 'blue-parley-voice')?.spec).toMatchObject({
      maxReplicaCount: 4,
      triggers: [{ metadata: { query: 'select count(*) from call_lease', targetQueryValue: '60' } }],
    })
    expect(named(resources, 'Service', 'blue-parley-voice-3')).toBeDefined()
    expect(named(resources, 'TriggerAuthentication', 'blue-parley-voice')?.spec).toMatchObject({
      secretTargetRef: [{ key: 'DATABASE_DIRECT_URL' }],
    })
  })

  test('with an ingress, each node is reached at a name of its own', async () => {
    const ingress = { enabled: true, voiceTlsSecret: 'wildcard' }
    const resources = await render({ ingress, api: { trustedProxies: '10.0.0.0/8' } })
    expect(named(resources, 'Ingress', 'blue-parley')?.spec).toMatchObject({
      rules: [
        { host: 'parley.example' },
        { host: 'blue-parley-voice-0.voice.example' },
        { host: 'blue-parley-voice-1.voice.example' },
      ],
    })
  })

  test.each([
    [{ ingress: { enabled: true } }, 'ingress.enabled needs api.trustedProxies'],
    [{ voice: { domain: '' } }, 'carrier twilio needs voice.domain'],
    [{ carrier: 'simulated' }, 'carrier simulated needs voice.sandbox: true'],
    [{ autoscaling: { enabled: true, maxReplicas: 1 } }, 'autoscaling.maxReplicas is below autoscaling.minReplicas'],
    [
      { ingress: { enabled: true }, api: { trustedProxies: '10.0.0.0/8' } },
      'ingress.enabled with voice.domain needs ingress.voiceTlsSecret',
    ],
    [{ env: { PARLEY_ROLE: 'all' } }, 'env.PARLEY_ROLE is set by the chart'],
  ])('refuses %j', async (wrong, sentence) => {
    await expect(render(wrong)).rejects.toThrow(sentence)
  })
})
