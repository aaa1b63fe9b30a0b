import type { Database } from '../../store/database.ts'
import type { FileStorage } from '../../store/files/storage.ts'
import type { OuterRules } from '../../store/stored/outer_rules.ts'
import type { Manifest } from './archive.ts'
import type { RuledTable } from './archived_rows.ts'

export interface ImportOptions {
  readonly rules: OuterRules
  readonly now: number
  /**
   * Whether connections, tokens, passwords, grants and webhooks come in, too: the author of the export can then use them. Without it, bots
   * stay as authors, and people sign in by a link.
   */
  readonly withCredentials: boolean
}

/** What an import works with. */
export interface Import extends ImportOptions {
  readonly database: Database
  readonly storage: FileStorage
  readonly folder: string
  readonly manifest: Manifest
  /** In the order in which they are imported, without that of workspaces and those that stay out. */
  readonly tables: readonly RuledTable[]
  /** Whether the webhook tokens can be decrypted. */
  readonly knowsWebhookKey: boolean
  /** Called with how many rows and files have been imported. */
  advance(count: number): void
}
