import { openRunningDatabase, operate } from './ops.ts'

try {
  const { database, dataDir } = await openRunningDatabase()
  try {
    console.log(await operate(database, process.argv.slice(2), dataDir))
  } finally {
    await database.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
