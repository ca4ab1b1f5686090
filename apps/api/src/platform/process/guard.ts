import type { Logger } from 'pino'

/**
 * An unhandled rejection is logged as a defect and the process goes on. After an uncaught exception the state is
 * unknown: the process says why and ends, to be restarted by its supervisor.
 */
export function guardProcess(log: Logger): void {
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'defect: nobody handled this rejection'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'nobody caught this exception')
    process.stderr.write(
      `The process ends: ${error instanceof Error ? error.name : typeof error} that nobody caught.\n`,
      () => process.exit(1),
    )
  })
  // The reader of the output is gone; the process goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
