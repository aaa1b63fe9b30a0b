import type { Capability } from '../../../generated/operations.ts'
import type { CreatePageRequest, DatabaseCreateRequest } from '../../../generated/types.ts'
import type { ScriptedTurn } from '../agents/script.ts'

/** The content of a workspace. Pages, rows and databases have the form of the requests that create them. */
export interface Seed {
  readonly people?: readonly SeedPerson[]
  readonly tokens?: readonly SeedToken[]
  readonly pages?: readonly SeedPage[]
  readonly databases?: readonly SeedDatabase[]
  readonly agents?: readonly SeedAgent[]
}

export interface SeedPerson {
  readonly name: string
  readonly email: string
  /** `member` by default. */
  readonly role?: 'owner' | 'member' | 'restricted' | 'guest'
}

/** A token, either of the person with an email address or of a new connection. */
export interface SeedToken {
  readonly name: string
  readonly person?: string
  /** The connection's capabilities; by default, all of them. */
  readonly capabilities?: readonly Capability[]
  /** The names of the pages that are shared with the connection; by default, the whole workspace is. */
  readonly pages?: readonly string[]
}

type PageContent = Omit<CreatePageRequest, 'parent' | 'allow_async'>

export interface SeedPage extends PageContent {
  /** The name under which `seed` returns the id. */
  readonly name?: string
  /** Child pages. */
  readonly pages?: readonly SeedPage[]
}

export interface SeedDatabase extends Omit<DatabaseCreateRequest, 'parent'> {
  readonly name?: string
  /** The name of its parent page. */
  readonly page: string
  readonly rows?: readonly (PageContent & { readonly name?: string })[]
}

/** An agent that all members and the connections of the workspace and of the seed may run and manage. */
export interface SeedAgent {
  readonly name: string
  readonly description?: string
  readonly instructions?: string
  /** Its access to pages; `editor` by default. */
  readonly role?: 'reader' | 'comment_only' | 'read_and_write' | 'editor'
  /** Names of pages of the seed, or ids: the pages that it may use, with everything below; by default, the whole workspace. */
  readonly pages?: readonly string[]
  /** Its credit limit for a calendar month; by default, that of the workspace. */
  readonly credits?: number
  /** Its first turns. */
  readonly turns?: readonly ScriptedTurn[]
}

/** The records that a seed has created, by their names in the seed. */
export interface Seeded {
  /** Ids of pages and rows. */
  readonly pages: Readonly<Record<string, string>>
  readonly databases: Readonly<Record<string, { readonly id: string; readonly dataSourceId: string }>>
  /** Ids, by email address. */
  readonly people: Readonly<Record<string, string>>
  readonly tokens: Readonly<Record<string, string>>
  /** Ids. */
  readonly agents: Readonly<Record<string, string>>
}

/** An invalid seed, which has added nothing. */
export class SeedError extends Error {
  override readonly name = 'SeedError'
  /** The path in the seed, such as `pages[0].pages[1]`. */
  readonly path: string
  /** The problem at that path. */
  readonly reason: string

  constructor(path: string, reason: string) {
    super(reason.startsWith('should ') ? `${path} ${reason}` : `${path}: ${reason}`)
    this.path = path
    this.reason = reason
  }
}
