import type { Comment } from '../../../generated/types.ts'
import type { PageEntry } from '../../domain/content/index.ts'
import type { Libraries } from './libraries.ts'
import type { SiteAddress } from './site_address.ts'

/** The context for rendering a record. */
export interface PageView extends SiteAddress {
  /** The reader's language, as a BCP 47 tag. */
  readonly locale: string
  readonly libraries: Libraries
  /** Titles of linked pages and databases that the reader sees, by id. */
  readonly titles: ReadonlyMap<string, string>
  /** The pages and databases on the page itself, by id. */
  readonly entries: ReadonlyMap<string, PageEntry>
  /** Comments, by the id of the block or page to which they belong. */
  readonly comments: ReadonlyMap<string, readonly Comment[]>
  /** The pages and databases that contain the page, from the top down. */
  readonly path: readonly PageEntry[]
  readonly headings: readonly PageHeading[]
  /** The address at which an owner sees who has access to the record; undefined for others, and without the console. */
  readonly accessPath?: string | undefined
}

/** A heading in the content of a page. */
export interface PageHeading {
  readonly id: string
  readonly level: 1 | 2 | 3 | 4
  readonly text: string
}
