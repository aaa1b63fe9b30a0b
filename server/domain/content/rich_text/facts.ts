import type { CustomEmoji, UserValue } from '../../../../generated/types.ts'
import type { FileFact } from '../../files/index.ts'

/** The references of stored content, as the caller may currently see them. */
export interface Facts {
  readonly users: ReadonlyMap<string, UserValue>
  /** The plain titles of pages and databases that the caller can see, by id. */
  readonly titles: ReadonlyMap<string, string>
  readonly emojis: ReadonlyMap<string, CustomEmoji>
  readonly files: ReadonlyMap<string, FileFact>
  readonly baseUrl: string
}
