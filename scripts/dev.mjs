import { runOf } from './product.mjs'

await runOf('dev.ts')
