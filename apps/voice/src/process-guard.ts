import type { Logger } from 'pino'

/**
 * Keeps one call's fault from ending the process: an unhandled rejection is logged as a defect. After an uncaught
 * exception the state is unknown, so the process logs it and exits with 1 for its supervisor to restart it.
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
  // The reader of stdout or stderr may be gone; the process still finishes its work.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
