import { buildWeb } from './build-web.ts'

/** The pages are built before the first product starts, so that no two of them build at once. */
export default async function setup(): Promise<void> {
  await buildWeb((line) => void process.stdout.write(`${line}\n`))
}
