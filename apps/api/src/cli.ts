import { openRunningDatabase, operate } from './ops.ts'

try {
  const { database, places } = await openRunningDatabase()
  try {
    console.log(await operate(database, process.argv.slice(2), places))
  } finally {
    await database.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
