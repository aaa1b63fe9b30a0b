import type { Connection } from '../../store/database.ts'
import { findDataSources, listDataSources, type ListedDataSource } from '../../store/data_sources.ts'
import { findUpload, type UploadRow } from '../../store/file_uploads.ts'
import { findViewingBots, findBots, findPlaces, type BlockPlace, type ViewingBot } from '../../store/viewing_bots.ts'
import { findUsers, type UserRow } from '../../store/users.ts'
import { findWorkspace } from '../../store/workspaces.ts'
import { withUniqueNames } from '../shared/index.ts'
import type { EventActor } from './webhooks/payload.ts'
import type { BlockReference, PropertyChange } from './change.ts'
import type { CoalescedChange } from './coalesce.ts'
import { kindOfEvent } from './event_types.ts'
import { anchorOfComment } from './visibility.ts'

export interface EntityChange {
  readonly entityId: string
  readonly change: CoalescedChange
}

/** The block whose permissions apply to an entity; undefined for uploads, which only their creators see. */
export function anchorOf({ entityId, change }: EntityChange): string | undefined {
  switch (kindOfEvent(change.type)) {
    case 'file_upload':
      return undefined
    case 'comment':
      return anchorOfComment(change.details as unknown as { parent: BlockReference; pageId: string })
    case 'view':
      return String(change.details['databaseId'])
    case 'page':
    case 'database':
    case 'data_source':
      return entityId
  }
}

/** The part of a property of a data source that events need. */
interface SchemaProperty {
  readonly id: string
  readonly name: string
  readonly yields?: true
  /** The target of a relation. */
  readonly dataSourceId?: string
}

/** The data for a batch of events, read together. */
export class EventContext {
  readonly workspaceId: string
  readonly workspaceName: string
  readonly #places: ReadonlyMap<string, BlockPlace>
  readonly #seeing: ReadonlyMap<string, readonly ViewingBot[]>
  readonly #makers: ReadonlyMap<string, ViewingBot>
  readonly #uploads: ReadonlyMap<string, UploadRow>
  readonly #authors: ReadonlyMap<string, EventActor>
  readonly #schemas: ReadonlyMap<string, readonly SchemaProperty[]>
  readonly #sources: ReadonlyMap<string, readonly ListedDataSource[]>

  private constructor(found: LoadedContext) {
    this.workspaceId = found.workspaceId
    this.workspaceName = found.workspaceName
    this.#places = found.places
    this.#seeing = found.seeing
    this.#makers = found.makers
    this.#uploads = found.uploads
    this.#authors = found.authors
    this.#schemas = found.schemas
    this.#sources = found.sources
  }

  static async load(
    db: Connection,
    workspaceId: string,
    all: readonly EntityChange[],
    connectionIds: readonly string[],
  ): Promise<EventContext> {
    const anchors = distinct(all.flatMap((one) => anchorOf(one) ?? []))
    const places = await withParents(db, workspaceId, await findPlaces(db, workspaceId, anchors))
    const databases = all.filter(({ change }) => kindOfEvent(change.type) === 'database').map(({ entityId }) => entityId)
    const sources = Map.groupBy(await listDataSources(db, workspaceId, distinct(databases)), ({ databaseId }) => databaseId)
    const schemas = await findSchemas(db, workspaceId, sourcesWithProperties(all, places, sources))
    const targets = [...relationTargets(all), ...[...schemas.values()].flat().flatMap(({ dataSourceId }) => dataSourceId ?? [])]
    const uploads = await findUploads(db, workspaceId, all)
    const found: LoadedContext = {
      workspaceId,
      workspaceName: (await findWorkspace(db, workspaceId))?.name ?? '',
      places,
      seeing: await findViewingBots(db, workspaceId, distinct([...anchors, ...targets]), connectionIds),
      makers: await findBots(db, workspaceId, distinct([...uploads.values()].map(({ actor_id: id }) => id))),
      uploads,
      authors: await findAuthors(db, workspaceId, distinct(all.flatMap(({ change }) => change.authorIds))),
      schemas,
      sources,
    }
    return new EventContext(found)
  }

  place(id: string): BlockPlace | undefined {
    return this.#places.get(id)
  }

  upload(id: string): UploadRow | undefined {
    return this.#uploads.get(id)
  }

  /** Data sources of a database, including those in the trash. */
  sourcesOf(databaseId: string): readonly ListedDataSource[] {
    return this.#sources.get(databaseId) ?? []
  }

  /** The author of a change. The personal agent is not among the users. */
  author(id: string): EventActor {
    return this.#authors.get(id) ?? { id, type: 'agent' }
  }

  /** Whether any bot of a connection sees the entity. */
  isSeen(connectionId: string, one: EntityChange): boolean {
    const anchor = anchorOf(one)
    if (anchor !== undefined) return this.#sees(connectionId, anchor)
    const maker = this.#makers.get(this.#uploads.get(one.entityId)?.actor_id ?? '')
    return maker?.connectionId === connectionId
  }

  /** The properties of a data source that a connection sees, with unique names. */
  propertiesOf(connectionId: string, dataSourceId: string): readonly SchemaProperty[] {
    const all = this.#schemas.get(dataSourceId) ?? []
    return withUniqueNames(all.filter(({ dataSourceId: targetId }) => this.seesTarget(connectionId, targetId)))
  }

  /** Whether a connection sees the target of a relation. If not, the relation is hidden too. */
  seesTarget(connectionId: string, targetId: string | undefined): boolean {
    return targetId === undefined || this.#sees(connectionId, targetId)
  }

  #sees(connectionId: string, blockId: string): boolean {
    return this.#seeing.get(blockId)?.some((bot) => bot.connectionId === connectionId) ?? false
  }
}

interface LoadedContext {
  readonly workspaceId: string
  readonly workspaceName: string
  readonly places: ReadonlyMap<string, BlockPlace>
  readonly seeing: ReadonlyMap<string, readonly ViewingBot[]>
  readonly makers: ReadonlyMap<string, ViewingBot>
  readonly uploads: ReadonlyMap<string, UploadRow>
  readonly authors: ReadonlyMap<string, EventActor>
  readonly schemas: ReadonlyMap<string, readonly SchemaProperty[]>
  readonly sources: ReadonlyMap<string, readonly ListedDataSource[]>
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}

/** The parents of blocks, and of the data sources to which rows and templates belong. */
async function withParents(
  db: Connection,
  workspaceId: string,
  places: ReadonlyMap<string, BlockPlace>,
): Promise<ReadonlyMap<string, BlockPlace>> {
  const sources = [...places.values()].filter(isOfSource).map(({ parentId }) => parentId)
  return new Map([...places, ...(await findPlaces(db, workspaceId, distinct(sources)))])
}

/** Whether a page belongs to a data source. */
export function isOfSource({ parentType }: BlockPlace): boolean {
  return parentType === 'data_source_id' || parentType === 'template_of'
}

/** The data sources whose properties are in events. */
function sourcesWithProperties(
  all: readonly EntityChange[],
  places: ReadonlyMap<string, BlockPlace>,
  sources: ReadonlyMap<string, readonly ListedDataSource[]>,
): string[] {
  return distinct(
    all.flatMap(({ entityId, change }) => {
      const place = places.get(entityId)
      if (change.type === 'page.properties_updated') return place && isOfSource(place) ? [place.parentId] : []
      if (change.type === 'database.schema_updated') return (sources.get(entityId) ?? []).map(({ id }) => id)
      return change.type === 'data_source.schema_updated' ? [entityId] : []
    }),
  )
}

/** The changed properties, in a change of a schema. */
export function changesIn({ details }: CoalescedChange): readonly PropertyChange[] {
  return details['properties'] as readonly PropertyChange[]
}

function relationTargets(all: readonly EntityChange[]): string[] {
  return all.flatMap(({ change }) =>
    change.type.endsWith('.schema_updated') ? changesIn(change).flatMap(({ targetId }) => targetId ?? []) : [],
  )
}

async function findSchemas(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly SchemaProperty[]>> {
  const sources = await findDataSources(db, workspaceId, ids)
  return new Map([...sources].map(([id, { properties }]) => [id, properties as readonly SchemaProperty[]]))
}

async function findUploads(db: Connection, workspaceId: string, all: readonly EntityChange[]): Promise<Map<string, UploadRow>> {
  const uploads = new Map<string, UploadRow>()
  for (const { entityId, change } of all) {
    if (kindOfEvent(change.type) !== 'file_upload' || uploads.has(entityId)) continue
    const row = await findUpload(db, workspaceId, entityId)
    if (row) uploads.set(entityId, row)
  }
  return uploads
}

async function findAuthors(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, EventActor>> {
  const users = await findUsers(db, workspaceId, ids)
  return new Map(users.map((user) => [user.id, { id: user.id, type: isAgent(user) ? 'agent' : user.kind }]))
}

/** Whether a user is an agent. The bots of agents belong to no connection. */
function isAgent({ kind, connection_id: connectionId }: UserRow): boolean {
  return kind === 'bot' && connectionId === null
}
