import type { Logger } from 'pino'

/**
 * No request or job ends the process: a rejection that nobody handled is a defect to mend, and the process goes on.
 * After an exception that nobody caught nothing is known of its state: it ends, says why, and whoever runs it starts it
 * again.
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
  // Whoever read them is gone; what is still to be done is done all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
