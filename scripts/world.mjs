import { runOf } from './product.mjs'

await runOf('world/cli.ts')
