import { startBucket, startPayments } from '@parley/sandbox'
import { z } from 'zod'

// The payments provider and the S3 bucket of a chaos run, in a process that may be killed.

const Around = z.object({
  payments: z.int(),
  bucket: z.int(),
  dataDir: z.string(),
  publicUrl: z.string(),
  apiUrl: z.string(),
  secret: z.string(),
})
export type Around = z.infer<typeof Around>

const { payments, bucket, dataDir, ...around } = Around.parse(JSON.parse(process.argv[2] ?? ''))
await startPayments({ ...around, port: payments, dataDir })
await startBucket({ port: bucket, dir: `${dataDir}/bucket` })
