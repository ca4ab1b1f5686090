export * from './carrier.ts'
export * from './ear.ts'
export * from './mind.ts'
export * from './speech.ts'
