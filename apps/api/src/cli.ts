import { migrateByHand } from './migrate.ts'
import { openRunningDatabase, operate } from './ops.ts'

// `npm run migrate` and `npm run ops`.

async function operateRunning(args: readonly string[]): Promise<string> {
  const { database, places } = await openRunningDatabase()
  try {
    return await operate(database, args, places)
  } finally {
    await database.close()
  }
}

try {
  const args = process.argv.slice(2)
  console.log(await (args.join(' ') === 'migrate' ? migrateByHand() : operateRunning(args)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
