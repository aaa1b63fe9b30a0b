import { join } from 'node:path'

/** The manifest of an exported workspace. It is written last: a folder without one is not a complete export. */
export interface Manifest {
  readonly format: typeof ARCHIVE_FORMAT
  /** Currently 2. Exports of format 1 have no digests of tables. */
  readonly version: 1 | typeof ARCHIVE_VERSION
  /** The schema version of the source database, which the target must have as well. */
  readonly schema: number
  readonly workspace: { readonly id: string; readonly name: string | null }
  /** The time of the export, in ISO 8601. */
  readonly time: string
  /** A digest of the key with which webhook tokens are encrypted, or null. */
  readonly webhook_key: string | null
  /** In the order of their references: referenced tables come first. */
  readonly tables: readonly ExportedTable[]
  readonly files: number
  /** Digest of the list of files, in hexadecimal. */
  readonly files_sha256?: string
}

export interface ExportedTable {
  readonly name: string
  /** In the order of the values in a row. */
  readonly columns: readonly string[]
  readonly rows: number
  /** Digest of the table's lines, in hexadecimal. */
  readonly sha256?: string
}

/** An object of the file storage, in a file named after its id. */
export interface ExportedFile {
  readonly id: string
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
}

export const ARCHIVE_FORMAT = 'workspace-service export'
export const ARCHIVE_VERSION = 2

export const manifestPath = (folder: string): string => join(folder, 'workspace.json')
export const tablePath = (folder: string, table: string): string => join(folder, 'tables', `${table}.jsonl`)
export const fileListPath = (folder: string): string => join(folder, 'files.jsonl')
export const filePath = (folder: string, id: string): string => join(folder, 'files', id)

/** Only the owner may read an export, since it contains digests of passwords and tokens. */
export const OWNER_ONLY = { mode: 0o600 } as const
