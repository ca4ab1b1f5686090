import type { ExportFile } from '../room.ts'

const PAGE_ROWS = 200

/** A JSON file of a short list, read in one query. */
export function listFile(name: string, read: () => Promise<readonly unknown[]>): ExportFile {
  return pagedFile(name, async (last) => (last === undefined ? read() : []))
}

/** A JSON file of a list of any length, read page by page after the last row (keyset pagination). */
export function pagedFile<Row>(
  name: string,
  read: (last: Row | undefined, limit: number) => Promise<readonly Row[]>,
): ExportFile {
  return { name, read: () => jsonList(pagesOf(read)) }
}

async function* pagesOf<Row>(
  read: (last: Row | undefined, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Row | undefined; ;) {
    const rows = await read(last, PAGE_ROWS)
    yield rows
    last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_ROWS) return
  }
}

/** Streams a JSON array page by page, so that memory stays bounded. */
async function* jsonList(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let first = true
  yield '['
  for await (const page of pages) {
    for (const item of page) {
      yield `${first ? '\n' : ',\n'}${JSON.stringify(item, null, 2)}`
      first = false
    }
  }
  yield first ? ']\n' : '\n]\n'
}
