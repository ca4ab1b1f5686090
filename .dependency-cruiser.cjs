// Who may import what (docs/architecture.md). Every rule is an error.
/** The rooms of the api: each may use those to its left. */
const rooms = ['accounts', 'contacts', 'credits', 'consent', 'calls', 'batches', 'notices', 'programs']

/**
 * @typedef {{ path?: string, pathNot?: string | string[], circular?: boolean, viaOnly?: object }} Place
 * @param {string} name
 * @param {Place} from
 * @param {Place} to
 */
const never = (name, from, to) => ({ name, severity: 'error', from, to })

module.exports = {
  forbidden: [
    never('no-cycles', { pathNot: '^packages/contract/' }, { circular: true }),
    // Constants stand apart from the shapes that are made of them, and may be typed by them (docs/decisions/0040).
    never(
      'no-cycles-at-run-time',
      { path: '^packages/contract/' },
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    never(
      'apps-meet-only-in-contract',
      { path: '^apps/([^/]+)/', pathNot: ['^apps/standalone/', '^apps/web/e2e/'] },
      { path: '^apps/', pathNot: ['^apps/$1/', '^apps/standalone/'] },
    ),
    never(
      'contract-is-a-leaf',
      { path: '^packages/contract/' },
      { path: '^(apps|packages)/', pathNot: '^packages/contract/' },
    ),
    never(
      'client-knows-the-contract',
      { path: '^packages/client/' },
      { path: '^(apps|packages)/', pathNot: '^packages/(client|contract)/' },
    ),
    never(
      'voice-ports-know-the-contract',
      { path: '^packages/voice-ports/' },
      { path: '^(apps|packages)/', pathNot: '^packages/(voice-ports|contract)/' },
    ),
    never(
      'traces-stand-alone',
      { path: '^packages/traces/' },
      { path: '^(apps|packages)/', pathNot: '^packages/traces/' },
    ),
    never(
      'only-services-trace',
      { path: '^(apps|packages)/', pathNot: ['^apps/(api|voice|standalone)/', '^packages/traces/'] },
      { path: '^packages/traces/' },
    ),
    never(
      'offline-mind-knows-the-ports',
      { path: '^packages/offline-mind/' },
      { path: '^(apps|packages)/', pathNot: '^packages/(offline-mind|voice-ports|contract)/' },
    ),
    never(
      'sandbox-knows-the-ports',
      { path: '^packages/sandbox/' },
      { path: '^(apps|packages)/', pathNot: '^packages/(sandbox|offline-mind|voice-ports|contract)/' },
    ),
    never(
      'only-standalone-has-the-sandbox',
      {
        path: '^(apps|packages)/',
        pathNot: ['^apps/standalone/', '^packages/sandbox/', '\\.(test|e2e)\\.tsx?$', '/testing(\\.ts$|/)'],
      },
      { path: '^packages/sandbox/' },
    ),
    never(
      'only-the-voice-knows-its-ports',
      {
        path: '^(apps|packages)/',
        pathNot: ['^apps/(voice|standalone)/', '^packages/(sandbox|offline-mind|voice-ports)/'],
      },
      { path: '^packages/(voice-ports|offline-mind)/' },
    ),
    never(
      'enter-by-the-door',
      { path: '^apps/api/src/([^/]+)/', pathNot: '(/schema\\.ts$|^apps/api/src/reports/)' },
      {
        path: '^apps/api/src/[^/]+/(?!(index|testing)\\.ts$)',
        pathNot: ['^apps/api/src/$1/', '^apps/api/src/platform/'],
      },
    ),
    // As files of rooms do; testing.ts alone hands out what tests of the whole look at.
    never(
      'enter-by-the-door-from-outside',
      { path: '^apps/api/src/[^/]+\\.ts$', pathNot: '/testing\\.ts$' },
      { path: '^apps/api/src/[^/]+/(?!(index|testing)\\.ts$)', pathNot: '^apps/api/src/platform/' },
    ),
    never(
      'rooms-take-what-they-need',
      { path: '^apps/api/src/[^/]+/', pathNot: '(\\.test|/testing)\\.ts$' },
      { path: '^apps/api/src/(app|context|floor|internal|listener|server)\\.ts$' },
    ),
    never(
      'testing-in-tests',
      {
        path: '^(apps|packages)/',
        pathNot:
          '((\\.(test|e2e)|/testing(-samples)?)\\.tsx?$|^apps/standalone/src/(pictures|evaluation|chaos)/|^apps/web/screens/)',
      },
      { path: '/(testing(-samples)?|light-passwords)\\.tsx?$' },
    ),
    never('platform-is-the-floor', { path: '^apps/api/src/platform/' }, { path: '^apps/api/src/(?!platform/)' }),
    never(
      'only-app-uses-reports',
      { path: '^apps/api/src/', pathNot: '^apps/api/src/(app\\.ts$|reports/)' },
      { path: '^apps/api/src/reports/' },
    ),
    ...rooms.map((r, i) =>
      never(
        `${r}-imports-left`,
        { path: `^apps/api/src/${r}/` },
        { path: `^apps/api/src/(${rooms.slice(i + 1).join('|') || '-'})/` },
      ),
    ),
    never(
      'only-context-names-adapters',
      { path: '^apps/voice/src/session/', pathNot: '\\.test\\.ts$' },
      { path: '^apps/voice/src/(carriers|speech|minds)/' },
    ),
    never(
      'adapters-keep-to-their-port',
      { path: '^apps/voice/src/(carriers|speech|minds)/', pathNot: '(\\.test|/testing)\\.ts$' },
      { path: '^apps/voice/src/', pathNot: '^apps/voice/src/$1/' },
    ),
    never(
      'only-standalone-joins-the-apps',
      { path: '^(apps|packages)/', pathNot: ['^apps/standalone/', '^apps/web/e2e/', '(\\.test|/testing)\\.tsx?$'] },
      { path: '^apps/standalone/' },
    ),
    never(
      'web-features-apart',
      { path: '^apps/web/src/features/([^/]+)/' },
      { path: '^apps/web/src/(features|app)/', pathNot: '^apps/web/src/features/$1/' },
    ),
    never('web-floor', { path: '^apps/web/src/(lib|ui)/' }, { path: '^apps/web/src/(features|app)/' }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/(dist|www)/|^apps/mobile/(ios|android)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
}
