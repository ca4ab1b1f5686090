import type { ExportFile } from '../room.ts'

const PAGE_ROWS = 200

/** A short list as a file of JSON. */
export function listFile(name: string, read: () => Promise<readonly unknown[]>): ExportFile {
  return pagedFile(name, async (last) => (last === undefined ? read() : []))
}

/** A list of any length as a file of JSON, read a page after the last row of the one before. */
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

/** JSON of a long list, without holding it: pages go out as they come. */
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
