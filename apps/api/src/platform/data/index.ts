// The data directory, for the programs that start or restore a product.
export { FAILURE } from './backups.ts'
export { clusterPaths } from './cluster.ts'
export { backupNames, BACKUPS, damaged, elsewhere, shown } from './damage.ts'
export { lockDataDir } from './lock.ts'
export { errnoOf, exists, flushFolder } from './filesystem.ts'
export { listBackups, restoreBackup } from './restore.ts'
