import { constants, setPriority } from 'node:os'

// Setup of files that only compute, beside others that wait for each other: they take the time that is left.
setPriority(constants.priority.PRIORITY_LOW)
