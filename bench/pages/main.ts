import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lineOf, measure, openStage, scroll, signInWithCalls } from '../../apps/web/e2e/lighthouse/testing.ts'
import { runParley } from '../../apps/standalone/src/world.ts'

// Page speed on a phone, beside a page with one sentence, and scrolling of a long history.

async function main(): Promise<void> {
  const plain = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      '<!doctype html><html lang="en"><title>Reference</title><meta name="viewport" content="width=device-width"><h1>One sentence.</h1>',
    )
  })
  await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done))
  const stage = await openStage(await runParley({ SANDBOX_SPEED: '10' }))
  try {
    const reference = await measure(stage, `http://127.0.0.1:${(plain.address() as AddressInfo).port}/`)
    console.log(lineOf('reference', reference, reference))
    const show = async (path: string) =>
      console.log(lineOf(path, await measure(stage, stage.parley.url + path), reference))
    for (const path of ['/', '/login']) await show(path)
    await signInWithCalls(stage, 'pages@parley.example')
    for (const path of ['/dashboard', '/call-history']) await show(path)
    console.log(await scroll(stage))
  } finally {
    await stage.close()
    plain.close()
  }
}

await main()
