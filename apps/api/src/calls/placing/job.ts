import { defineJob } from '../../platform/jobs.ts'

/** Exponential back-off: about 0, 1, 3, 7 and 15 seconds after placing, or after a line is free. */
export const dialJob = defineJob<{ callId: string }>('calls.dial', {
  retryLimit: 6,
  retryDelaySeconds: 1,
  expireSeconds: 30,
})
