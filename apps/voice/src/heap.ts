/**
 * Options of V8 for a process that holds calls: `node ${HEAP_OPTIONS.join(' ')} server.ts`. They cannot be set later.
 *
 * 200 calls let go of some 50 MB a second, nearly all of it soon. By its own measure V8 then marked the whole heap once
 * a second, each time pausing for longer than a frame. It may grow to four times what is alive before that; and what is
 * young is collected each 16 MB, in a few milliseconds.
 */
export const HEAP_OPTIONS: readonly string[] = ['--max-semi-space-size=16', '--heap-growing-percent=300']
