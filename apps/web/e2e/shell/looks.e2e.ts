import { looks } from './journeys/looks.ts'
import { openPhones } from './journeys/phone.ts'
import { openShellWorld } from './testing.ts'

// Apart from the journeys, so that both run side by side.
// Longer than 20 s: axe reads eleven screens in four looks.

looks(openPhones(await openShellWorld()))
