import type { DateValue } from '../../../../generated/types.ts'
import type { StoredFile as HostedFile } from '../../files/index.ts'

/** The stored form of values whose form differs from that of responses. */

export interface StoredPerson {
  readonly object: 'user' | 'group'
  readonly id: string
}

export interface StoredVerification {
  readonly date: DateValue | null
  readonly verifiedBy: string
}

/** The first links of a relation, and whether the index holds more. */
export interface StoredLinks {
  readonly ids: readonly string[]
  readonly more?: true
}

export function storedLinks(stored: unknown): StoredLinks {
  return (stored ?? { ids: [] }) as StoredLinks
}

/** A stored file. Without a name of its own, it has an empty name and is presented with the name of its upload. */
export type StoredFileValue = { readonly name: string } & (
  | { readonly type: 'external'; readonly external: { readonly url: string } }
  | HostedFile
)
