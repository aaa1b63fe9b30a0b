import type { Capability } from '../../../generated/operations.ts'
import type { CreatePageRequest, DatabaseCreateRequest } from '../../../generated/types.ts'

/** What a workspace is filled with. Pages, rows and databases are those of the contract's requests that make them, by their names. */
export interface Seed {
  readonly people?: readonly SeedPerson[]
  readonly tokens?: readonly SeedToken[]
  readonly pages?: readonly SeedPage[]
  readonly databases?: readonly SeedDatabase[]
}

export interface SeedPerson {
  readonly name: string
  readonly email: string
  /** A member unless said otherwise. */
  readonly role?: 'owner' | 'member' | 'restricted' | 'guest'
}

/** The token of a person, by the e-mail address, or of a connection of its own. */
export interface SeedToken {
  readonly name: string
  readonly person?: string
  /** What the connection may do; everything unless said otherwise. */
  readonly capabilities?: readonly Capability[]
  /** Names of pages that are shared with the connection; without them, the whole workspace. */
  readonly pages?: readonly string[]
}

type PageContent = Omit<CreatePageRequest, 'parent' | 'allow_async'>

export interface SeedPage extends PageContent {
  /** By what the id is found in what `seed` returns. */
  readonly name?: string
  /** Pages on this page. */
  readonly pages?: readonly SeedPage[]
}

export interface SeedDatabase extends Omit<DatabaseCreateRequest, 'parent'> {
  readonly name?: string
  /** The name of the page that it stands on. */
  readonly page: string
  readonly rows?: readonly (PageContent & { readonly name?: string })[]
}

/** What a seed has made, by the names that it gives. */
export interface Seeded {
  /** Ids of pages and rows. */
  readonly pages: Readonly<Record<string, string>>
  readonly databases: Readonly<Record<string, { readonly id: string; readonly dataSourceId: string }>>
  /** Ids, by e-mail address. */
  readonly people: Readonly<Record<string, string>>
  readonly tokens: Readonly<Record<string, string>>
}

/** A seed that cannot be: nothing of it was kept. */
export class SeedError extends Error {
  override readonly name = 'SeedError'
  /** Where in the seed, such as `pages[0].pages[1]`. */
  readonly path: string
  /** What is wrong there. */
  readonly reason: string

  constructor(path: string, reason: string) {
    super(reason.startsWith('should ') ? `${path} ${reason}` : `${path}: ${reason}`)
    this.path = path
    this.reason = reason
  }
}
