import { runOf } from './product.mjs'

await runOf('main.ts')
