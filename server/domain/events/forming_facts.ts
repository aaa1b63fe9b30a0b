import type { Connection } from '../../store/database.ts'
import { findDataSources, listDataSources, type ListedDataSource } from '../../store/data_sources.ts'
import { findUpload, type UploadRow } from '../../store/file_uploads.ts'
import { botsSeeing, findBots, findPlaces, type BlockPlace, type SeeingBot } from '../../store/sight.ts'
import { findUsers } from '../../store/users.ts'
import { findWorkspace } from '../../store/workspaces.ts'
import { namedApart } from '../properties/names.ts'
import type { StoredProperty } from '../properties/stored.ts'
import type { EventActor } from '../webhooks/payload.ts'
import type { BlockReference, PropertyChange } from './change.ts'
import type { Told } from './collapse.ts'
import { kindOfEvent } from './event_types.ts'
import { placeOfComment } from './visibility.ts'

/** What is to be told of an entity. */
export interface ToldOf {
  readonly entityId: string
  readonly told: Told
}

/** The block that decides who sees an entity; undefined for uploads, which their makers see. */
export function anchorOf({ entityId, told }: ToldOf): string | undefined {
  switch (kindOfEvent(told.type)) {
    case 'file_upload':
      return undefined
    case 'comment':
      return placeOfComment(told.details as unknown as { parent: BlockReference; pageId: string })
    case 'view':
      return String(told.details['databaseId'])
    case 'page':
    case 'database':
    case 'data_source':
      return entityId
  }
}

/** All that forming some events needs to know, looked up together. */
export class FormingFacts {
  readonly workspaceId: string
  readonly workspaceName: string
  readonly #places: ReadonlyMap<string, BlockPlace>
  readonly #seeing: ReadonlyMap<string, readonly SeeingBot[]>
  readonly #makers: ReadonlyMap<string, SeeingBot>
  readonly #uploads: ReadonlyMap<string, UploadRow>
  readonly #authors: ReadonlyMap<string, EventActor>
  readonly #schemas: ReadonlyMap<string, readonly StoredProperty[]>
  readonly #sources: ReadonlyMap<string, readonly ListedDataSource[]>

  private constructor(found: Found) {
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

  static async gather(
    db: Connection,
    workspaceId: string,
    all: readonly ToldOf[],
    connectionIds: readonly string[],
  ): Promise<FormingFacts> {
    const anchors = distinct(all.flatMap((one) => anchorOf(one) ?? []))
    const places = await withParents(db, workspaceId, await findPlaces(db, workspaceId, anchors))
    const databases = all.filter(({ told }) => kindOfEvent(told.type) === 'database').map(({ entityId }) => entityId)
    const sources = Map.groupBy(await listDataSources(db, workspaceId, distinct(databases)), ({ databaseId }) => databaseId)
    const schemas = await findSchemas(db, workspaceId, sourcesWithProperties(all, places, sources))
    const targets = [...relationTargets(all), ...[...schemas.values()].flat().flatMap((property) => targetOf(property) ?? [])]
    const uploads = await findUploads(db, workspaceId, all)
    const found: Found = {
      workspaceId,
      workspaceName: (await findWorkspace(db, workspaceId))?.name ?? '',
      places,
      seeing: await botsSeeing(db, workspaceId, distinct([...anchors, ...targets]), connectionIds),
      makers: await findBots(db, workspaceId, distinct([...uploads.values()].map(({ actor_id: id }) => id))),
      uploads,
      authors: await findAuthors(db, workspaceId, distinct(all.flatMap(({ told }) => told.authorIds))),
      schemas,
      sources,
    }
    return new FormingFacts(found)
  }

  place(id: string): BlockPlace | undefined {
    return this.#places.get(id)
  }

  upload(id: string): UploadRow | undefined {
    return this.#uploads.get(id)
  }

  /** Data sources of a database, those in the trash included. */
  sourcesOf(databaseId: string): readonly ListedDataSource[] {
    return this.#sources.get(databaseId) ?? []
  }

  author(id: string): EventActor {
    return this.#authors.get(id) ?? { id, type: 'agent' }
  }

  /** Whether any bot of a connection sees what is told of. */
  isSeen(connectionId: string, one: ToldOf): boolean {
    const anchor = anchorOf(one)
    if (anchor !== undefined) return this.#sees(connectionId, anchor)
    const maker = this.#makers.get(this.#uploads.get(one.entityId)?.actor_id ?? '')
    return maker?.connectionId === connectionId
  }

  /** The columns of a data source that a connection sees, no two of one name. */
  propertiesOf(connectionId: string, dataSourceId: string): readonly StoredProperty[] {
    const all = this.#schemas.get(dataSourceId) ?? []
    return namedApart(all.filter((property) => this.seesTarget(connectionId, targetOf(property))))
  }

  /** A relation is hidden where its target is. */
  seesTarget(connectionId: string, targetId: string | undefined): boolean {
    return targetId === undefined || this.#sees(connectionId, targetId)
  }

  #sees(connectionId: string, blockId: string): boolean {
    return this.#seeing.get(blockId)?.some((bot) => bot.connectionId === connectionId) ?? false
  }
}

interface Found {
  readonly workspaceId: string
  readonly workspaceName: string
  readonly places: ReadonlyMap<string, BlockPlace>
  readonly seeing: ReadonlyMap<string, readonly SeeingBot[]>
  readonly makers: ReadonlyMap<string, SeeingBot>
  readonly uploads: ReadonlyMap<string, UploadRow>
  readonly authors: ReadonlyMap<string, EventActor>
  readonly schemas: ReadonlyMap<string, readonly StoredProperty[]>
  readonly sources: ReadonlyMap<string, readonly ListedDataSource[]>
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}

function targetOf(property: StoredProperty): string | undefined {
  return property.type === 'relation' ? property.dataSourceId : undefined
}

/** Places of blocks, and of the data sources that rows and templates lie in. */
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

/** Data sources of which events name properties. */
function sourcesWithProperties(
  all: readonly ToldOf[],
  places: ReadonlyMap<string, BlockPlace>,
  sources: ReadonlyMap<string, readonly ListedDataSource[]>,
): string[] {
  return distinct(
    all.flatMap(({ entityId, told }) => {
      const place = places.get(entityId)
      if (told.type === 'page.properties_updated') return place && isOfSource(place) ? [place.parentId] : []
      if (told.type === 'database.schema_updated') return (sources.get(entityId) ?? []).map(({ id }) => id)
      return told.type === 'data_source.schema_updated' ? [entityId] : []
    }),
  )
}

/** What an event about a schema tells. */
export function changesIn({ details }: Told): readonly PropertyChange[] {
  return details['properties'] as readonly PropertyChange[]
}

function relationTargets(all: readonly ToldOf[]): string[] {
  return all.flatMap(({ told }) =>
    told.type.endsWith('.schema_updated') ? changesIn(told).flatMap(({ targetId }) => targetId ?? []) : [],
  )
}

async function findSchemas(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredProperty[]>> {
  const sources = await findDataSources(db, workspaceId, ids)
  return new Map([...sources].map(([id, { properties }]) => [id, properties as readonly StoredProperty[]]))
}

async function findUploads(db: Connection, workspaceId: string, all: readonly ToldOf[]): Promise<Map<string, UploadRow>> {
  const uploads = new Map<string, UploadRow>()
  for (const { entityId, told } of all) {
    if (kindOfEvent(told.type) !== 'file_upload' || uploads.has(entityId)) continue
    const row = await findUpload(db, workspaceId, entityId)
    if (row) uploads.set(entityId, row)
  }
  return uploads
}

async function findAuthors(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, EventActor>> {
  const users = await findUsers(db, workspaceId, ids)
  return new Map(users.map(({ id, kind }) => [id, { id, type: kind }]))
}
