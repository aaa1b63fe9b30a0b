export { backupSqlite, databaseExists, integrityProblems, type BackupFigures, type OnProgress } from './dialects/sqlite_backup.ts'
