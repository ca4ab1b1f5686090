// For tests alone: the phone network with faults on demand. A running service gets the network from index.ts.

export type { NetworkFaults } from './network/faults.ts'
export { createTestNetwork, type NetworkTestOptions } from './network/index.ts'
