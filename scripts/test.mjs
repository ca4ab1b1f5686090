import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join, relative } from 'node:path'
import { ensureChromium } from './chromium.mjs'
import { ensureInstalled, main, modernNode, root, run, toolEnvironment } from './install.mjs'

const artifacts = join(root, 'artifacts')
const reportPath = join(artifacts, 'tests.json')
const SLOWEST = 10
/** A file that takes longer says at its top why. */
const NEEDS_REASON_S = 20
/** Much of all rooms is waiting: for the database, for a call at the speed of speech, for a clock of its own. */
const ROOM_WORKERS = '6'
/** Of the checks, a nice value: at the lowest they would hardly run on a machine that is busy with something else. */
const CHECKS_PRIORITY = 5

/**
 * @typedef {{ status: string, name: string, startTime: number, endTime: number, assertionResults: unknown[] }} TestFile
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: TestFile[] }} Report
 * @returns {Report}
 */
function readReport() {
  if (!existsSync(reportPath))
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }
  return /** @type {Report} */ (JSON.parse(readFileSync(reportPath, 'utf8')))
}

/**
 * One line for whoever counts. A check that fails is one failure, and so is a run that failed outside of its tests.
 * @param {number} checkCode
 * @param {number} testCode
 */
function tally(checkCode, testCode) {
  const report = readReport()
  const filesThatDidNotLoad = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length
  const testsFailed = report.numFailedTests + filesThatDidNotLoad
  const failed = (checkCode === 0 ? 0 : 1) + (testCode !== 0 && testsFailed === 0 ? 1 : testsFailed)
  const skipped = report.numPendingTests + report.numTodoTests
  return `${report.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`
}

/** Where the time of a run went: the files that took longest, and why; without those under a second. */
function slowestFiles() {
  return readReport()
    .testResults.map(({ name, startTime, endTime }) => ({
      name: relative(root, name),
      seconds: (endTime - startTime) / 1000,
    }))
    .filter(({ seconds }) => seconds >= 1)
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .flatMap(({ name, seconds }) => [
      `${seconds.toFixed(0).padStart(5)} s  ${name}`,
      ...(seconds > NEEDS_REASON_S ? [`         ${reasonOf(name)}`] : []),
    ])
}

/**
 * What a file that takes long waits for, which it says itself, at its top.
 * @param {string} name
 */
function reasonOf(name) {
  const [, reason] = /^\/\/ Longer than 20 s: (.+)$/m.exec(readFileSync(join(root, name), 'utf8')) ?? []
  return reason ?? 'It does not say why: write "// Longer than 20 s: …" at its top, or split it.'
}

/**
 * Runs every check in the time that the tests leave: they begin with what keeps one processor busy, and calls at the
 * speed of speech wait. What is said is printed at once when all passed, else by `tell`, behind the tests.
 * @param {string} node
 * @returns {Promise<{ code: number, tell: () => void }>}
 */
function checkBesideTests(node) {
  const child = spawn(node, [join(root, 'scripts/check.mjs'), '--all'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) setPriority(child.pid, CHECKS_PRIORITY)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (said += text))
  const print = () => void process.stdout.write(said)
  return new Promise((resolve) => {
    // Nobody awaits it before the tests are over.
    child.once('error', (error) => resolve({ code: 1, tell: () => console.error(error.message) }))
    child.once('close', (code) => {
      if (code === 0) print()
      resolve({ code: code ?? 1, tell: code === 0 ? () => undefined : print })
    })
  })
}

await main(async () => {
  await ensureInstalled()
  ensureChromium()
  rmSync(artifacts, { recursive: true, force: true })
  mkdirSync(artifacts, { recursive: true })
  const node = modernNode()
  if (!process.env.DATABASE_URL)
    console.log("DATABASE_URL is not set: the api's rooms are tested on the embedded PostgreSQL only.")
  if (!process.env.REDIS_URL)
    console.log('REDIS_URL is not set: the live bus and the limits of carriers are tested in process only.')
  const checks = checkBesideTests(node)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`]
  const env = { ...toolEnvironment, ROOM_WORKERS }
  const testCode = await run(node, [vitest, 'run', ...reporters, ...process.argv.slice(2)], { env })
  const { code: checkCode, tell } = await checks
  tell()
  console.log(['', `The ${SLOWEST} slowest files:`, ...slowestFiles(), ''].join('\n'))
  writeFileSync(join(artifacts, 'tally.txt'), tally(checkCode, testCode))
  return checkCode || testCode
})
