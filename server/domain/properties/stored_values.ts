import type { DateValue } from '../../../generated/types.ts'
import type { StoredFile as HostedFile } from '../file_uploads/stored.ts'

/** Values in the form that rows keep them in, as far as it is not that of answers. */

export interface StoredPerson {
  readonly object: 'user' | 'group'
  readonly id: string
}

export interface StoredVerification {
  readonly date: DateValue | null
  readonly verifiedBy: string
}

/** The first links of a relation, and whether there are more of them in the index. */
export interface StoredLinks {
  readonly ids: readonly string[]
  readonly more?: true
}

export function linksOf(stored: unknown): StoredLinks {
  return (stored ?? { ids: [] }) as StoredLinks
}

/** One of an upload without a name of its own has an empty one, and is called like the upload. */
export type StoredFileValue = { readonly name: string } & (
  | { readonly type: 'external'; readonly external: { readonly url: string } }
  | HostedFile
)
