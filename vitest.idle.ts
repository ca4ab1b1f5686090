import { setPriority } from 'node:os'

// Setup of files that only compute, beside others that wait for each other: they take little but the time that is left.
// At the lowest priority they would hardly run on a machine that is busy with something else.
setPriority(5)
