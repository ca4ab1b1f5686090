import { createClient } from '@parley/client'
import { DEMO } from '../demo-user.ts'
import { buildWeb } from '../build-web.ts'
import { runParley, signIn } from '../world.ts'

// npm run world: a Parley on free ports with the demo user's calls, contacts and batch; Ctrl-C removes it.

const say = (line: string) => console.log(line)
await buildWeb(say)
const parley = await runParley({ SANDBOX_SPEED: '10' })
const stop = () => void parley.dispose().then(() => process.exit(0))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
process.once('disconnect', stop)

async function seed(): Promise<string> {
  const person = await signIn(parley.url, DEMO.email, DEMO.password)
  const answer = await person.send('POST', `/api/user/${person.user.id}/api-keys`, { name: 'World' })
  const { key } = (await answer.json()) as { key: string }
  const client = createClient({ url: parley.url, key })
  const params = { id: person.user.id }

  const table = {
    purpose: 'Book a table for two on Friday evening',
    objectives: ['A table at 7 pm'],
    maxDurationMinutes: 2,
  }
  for (const callee of ['+12025550100', '+12025550110', '+12025550101'])
    await client.calls.place({ body: { ...table, callee } })
  await client.templates.save({ body: { ...table, name: 'A table on Friday', tone: 'friendly' } })
  await client.doNotCall.add({ params, body: { phone: '+12025550142' } })
  await client.batches.create({
    body: {
      name: 'Reminders',
      calls: ['+12025550100', '+12025550103'].map((callee) => ({
        callee,
        purpose: 'Say when the visit begins',
        maxDurationMinutes: 1,
      })),
      consent: { marketing: false, permission: 'relationship' },
    },
  })
  return key
}

try {
  const key = await seed()
  say(`
A Parley to try things on, with some calls under way:

  ${parley.url}
  ${DEMO.email}, password ${DEMO.password}
  API key ${key}
  data    ${parley.dataDir}

  Ctrl-C ends it, and nothing of it is kept.
`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  await parley.dispose()
  process.exit(1)
}
