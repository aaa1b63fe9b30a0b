import type { CustomEmoji, UserValue } from '../../../../generated/types.ts'
import type { FileFact } from '../../files/index.ts'

/** What stored content refers to, as the caller may see it now. */
export interface Facts {
  readonly users: ReadonlyMap<string, UserValue>
  /** Plain titles of pages and databases that the caller can see. */
  readonly titles: ReadonlyMap<string, string>
  readonly emojis: ReadonlyMap<string, CustomEmoji>
  readonly files: ReadonlyMap<string, FileFact>
  readonly baseUrl: string
}
