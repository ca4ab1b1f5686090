import { spawn } from 'node:child_process'
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDataDir } from './data-dir.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-data-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const open = (embedded = true) => openDataDir(dataDir, { embedded })
const at = (...parts: string[]) => join(dataDir, ...parts)

/** The state after a first run. */
async function used(): Promise<void> {
  const data = await open()
  await mkdir(at('postgres/data/global'), { recursive: true })
  await writeFile(at('postgres/password'), 'secret')
  await data.started()
  await data.close()
}

async function refusal(embedded = true): Promise<string> {
  return open(embedded).then(
    () => 'it was taken',
    (error: Error) => error.message,
  )
}

describe('a data directory', () => {
  test('keeps the secrets of the first start, readable by their owner only', async () => {
    await used()
    const first = await open()
    await first.close()
    const second = await open()
    expect(second.secrets).toEqual(first.secrets)
    expect(first.secrets.auth.length).toBeGreaterThanOrEqual(32)
    await second.close()
    expect((await stat(at('secrets.json'))).mode & 0o777).toBe(0o600)
    expect(await readdir(dataDir)).toEqual(['parley.json', 'postgres', 'secrets.json'])
  })

  test('without parley.json but with secrets and a database is used', async () => {
    const secrets = { auth: 'a'.repeat(43), voice: 'v'.repeat(43) }
    await writeFile(at('secrets.json'), JSON.stringify(secrets))
    await mkdir(at('postgres/data'), { recursive: true })
    const data = await open()
    expect(data.secrets).toEqual(secrets)
    await data.close()
  })

  test('without a database gets new secrets when they are missing', async () => {
    const data = await open()
    await data.close()
    await rm(at('secrets.json'))
    const again = await open()
    expect(again.secrets).not.toEqual(data.secrets)
    await again.close()
  })

  test('without its secrets is refused while a database exists, and is left unchanged', async () => {
    await used()
    await rm(at('secrets.json'))
    const before = await readdir(dataDir)
    expect(await refusal()).toBe(
      `DATA_DIR=${dataDir} is damaged: ${at('secrets.json')} is missing, and without it nobody who has a second factor could sign in. ` +
        `There is no backup in ${at('backups')}: put back what is missing, or start anew elsewhere with "DATA_DIR=${dataDir}-new npm start".`,
    )
    // The secrets are needed with DATABASE_URL too.
    expect(await refusal(false)).toContain('secrets.json is missing')
    await rm(at('parley.json'))
    expect(await refusal()).toContain('secrets.json is missing')
    expect(await readdir(dataDir)).toEqual(before.filter((name) => name !== 'parley.json'))
  })

  test.each([
    ['', 'is empty'],
    ['{"auth": "aaaa', 'is not JSON'],
    ['[]', 'does not hold two secrets of 32 characters'],
    [JSON.stringify({ auth: 'a'.repeat(31), voice: 'v'.repeat(43) }), 'does not hold two secrets of 32 characters'],
  ])('with the secrets %j is refused, and the file is left unchanged', async (text, why) => {
    await used()
    await writeFile(at('secrets.json'), text)
    expect(await refusal()).toContain(`is damaged: ${at('secrets.json')} ${why}. `)
    expect(await readFile(at('secrets.json'), 'utf8')).toBe(text)
  })

  test('without its database is refused with the command that restores the newest backup', async () => {
    await used()
    await rm(at('postgres'), { recursive: true })
    await mkdir(at('backups/2026-11-20T10-00-00Z-daily'), { recursive: true })
    await mkdir(at('backups/2026-11-21T10-00-00Z-daily'))
    await mkdir(at('backups/.2026-11-22T10-00-00Z-daily.partial'))
    expect(await refusal()).toBe(
      `DATA_DIR=${dataDir} is damaged: its database in ${at('postgres')} is missing. ` +
        `Restore the newest backup with "DATA_DIR=${dataDir} npm run restore -- 2026-11-21T10-00-00Z-daily", ` +
        `or start anew elsewhere with "DATA_DIR=${dataDir}-new npm start".`,
    )
    // With DATABASE_URL the embedded database is not needed.
    await (await open(false)).close()
  })

  test('with other files is refused and left unchanged', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await writeFile(at(name), 'mine')
    expect(await refusal()).toBe(
      `DATA_DIR=${dataDir} holds other things than Parley's data (a.txt, b.txt, c.txt and 1 more). ` +
        `Set DATA_DIR to an empty folder: "DATA_DIR=${dataDir}-new npm start".`,
    )
    expect(await readdir(dataDir)).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt'])
  })

  test('of another product or a newer Parley is refused', async () => {
    await writeFile(at('parley.json'), '{"product":"Polly"}')
    expect(await refusal()).toContain(`does not say that DATA_DIR=${dataDir} is Parley's. `)
    await writeFile(
      at('parley.json'),
      JSON.stringify({ product: 'Parley', layout: 2, createdAt: new Date().toISOString() }),
    )
    expect(await refusal()).toContain('was written by a newer Parley. ')
  })

  test('in use by a live process is refused with its pid, and used once that process is gone', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const gone = new Promise((resolve) => other.once('exit', resolve))
    await used()
    const began = (await readFile(`/proc/${other.pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[19]
    await writeFile(at('parley.pid'), `${other.pid} ${began}\n`)
    expect(await refusal()).toBe(
      `Parley runs on the data in ${dataDir} already (process ${other.pid}). Stop it first, or set DATA_DIR to another folder.`,
    )
    // A process that began at another time is a later one with the same pid.
    await writeFile(at('parley.pid'), `${other.pid} 1\n`)
    await (await open()).close()
    await writeFile(at('parley.pid'), `${other.pid} ${began}\n`)
    other.kill('SIGKILL')
    await gone
    await (await open()).close()
    expect(await readdir(dataDir)).toEqual(['parley.json', 'postgres', 'secrets.json'])
  })

  test("that is a file or below a file is refused with the file's path", async () => {
    await writeFile(at('file'), 'mine')
    const message = `DATA_DIR=${at('file')} is a file. Set DATA_DIR to a folder.`
    await expect(openDataDir(at('file'), { embedded: true })).rejects.toThrow(message)
    await expect(openDataDir(at('file/below/it'), { embedded: true })).rejects.toThrow(message)
  })

  test('on a disk that cannot be written is refused', async () => {
    await expect(openDataDir('/proc/parley', { embedded: true })).rejects.toThrow(
      'DATA_DIR=/proc/parley is on a disk that cannot be written. Set DATA_DIR to a folder on another disk.',
    )
  })

  test('that this user cannot write is refused', async () => {
    await chmod(dataDir, 0o500)
    // Root may write everywhere.
    const nobody = { uid: 65_534, gid: 65_534 }
    const script = `import(${JSON.stringify(join(import.meta.dirname, 'data-dir.ts'))})
      .then(({ openDataDir }) => openDataDir(${JSON.stringify(dataDir)}, { embedded: true }))
      .catch((error) => console.log(error.message))`
    const child = spawn(process.execPath, ['-e', script], process.getuid?.() === 0 ? nobody : {})
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    await new Promise((resolve) => child.once('close', resolve))
    expect(said).toBe(
      `DATA_DIR=${dataDir} may not be written by this user. Give it to this user (chown), or set DATA_DIR to another folder.\n`,
    )
  })

  test('keeps its secrets after an interrupted write of new ones', async () => {
    await used()
    const before = await readFile(at('secrets.json'), 'utf8')
    await appendFile(at('secrets.json.new'), '{"auth":')
    const data = await open()
    expect(data.secrets).toEqual(JSON.parse(before))
    await data.close()
  })
})
