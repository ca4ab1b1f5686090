import { setPriority } from 'node:os'

// Setup of journeys: they wait for what they see, and leave the processors to what has to keep its time.
setPriority(10)
