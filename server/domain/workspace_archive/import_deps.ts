import type { Database } from '../../store/database.ts'
import type { FileStorage } from '../../store/files/storage.ts'
import type { OuterRules } from '../../store/stored/outer_rules.ts'
import type { Manifest } from './archive.ts'
import type { RuledTable } from './archived_rows.ts'

export interface ImportOptions {
  readonly rules: OuterRules
  readonly now: number
  /**
   * Whether to import connections, tokens, passwords, grants and webhooks as well. If so, whoever made the export can use them. Otherwise,
   * bots remain only as authors, and people sign in by a link.
   */
  readonly withCredentials: boolean
}

export interface Import extends ImportOptions {
  readonly database: Database
  readonly storage: FileStorage
  readonly folder: string
  readonly manifest: Manifest
  /** In the order of the import, without the table of workspaces and excluded tables. */
  readonly tables: readonly RuledTable[]
  /** Whether the webhook tokens can be decrypted. */
  readonly knowsWebhookKey: boolean
  /** Called with the number of rows and files that have been imported since the last call. */
  advance(count: number): void
}
