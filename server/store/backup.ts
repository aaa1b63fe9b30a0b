export {
  backupSqlite,
  databaseExists,
  integrityProblems,
  isInUse,
  swapIn,
  type BackupFigures,
  type OnProgress,
} from './dialects/sqlite_backup.ts'
