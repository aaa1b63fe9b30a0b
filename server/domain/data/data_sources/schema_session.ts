import { ServiceError } from '../../../kernel/errors.ts'
import { RETIRED_MAX, updateColumns } from '../../../store/data_sources.ts'
import { touch } from '../../../store/blocks.ts'
import { canonicalId, idsOf } from '../../../kernel/ids.ts'
import { random } from '../../../kernel/random.ts'
import { requireMayEdit } from '../../content/index.ts'
import { recordEvent, type PropertyChange } from '../../events/index.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'
import type { StoredProperty } from '../properties/stored.ts'
import { requireDataSource, type DataSource } from './load.ts'

export const PROPERTIES_MAX = 500
const SCHEMA_BYTES_MAX = 50 * 1024

/** A schema while it is being changed. */
export interface SchemaDraft {
  readonly id: string
  /** Plain text, for the names of opposite columns. */
  readonly title: string
  /** The columns visible to the caller. */
  properties: StoredProperty[]
  retired: string[]
  isChanged: boolean
  /** Undefined for a new data source. */
  readonly stored: DataSource | undefined
}

/** The schema of an existing data source, before any change. */
export function draftOf(stored: DataSource, title = ''): SchemaDraft {
  const { id, properties, retired } = stored
  return { id, title, properties: [...properties], retired: [...retired], isChanged: false, stored }
}

/** The schemas that one request changes: its data source's, and those of the targets of two-way relations. */
export class SchemaSession {
  readonly scope: WriteScope
  /** The schema of the data source that the request changes. */
  readonly draft: SchemaDraft
  /** The texts of written formulas and their paths in the request, by property id. */
  readonly formulas = new Map<string, { readonly text: string; readonly path: string }>()
  /** The paths of written rollups in the request, by property id. */
  readonly rollups = new Map<string, string>()
  readonly #drafts = new Map<string, SchemaDraft>()

  constructor(scope: WriteScope, draft: SchemaDraft) {
    this.scope = scope
    this.draft = this.#begin(draft)
  }

  /** Every schema that has been opened. */
  drafts(): readonly SchemaDraft[] {
    return [...this.#drafts.values()]
  }

  #begin(draft: SchemaDraft): SchemaDraft {
    this.#drafts.set(draft.id, draft)
    return draft
  }

  /** @throws ServiceError `object_not_found` for a data source that is not visible to the caller */
  async open(writtenId: string): Promise<SchemaDraft> {
    const id = canonicalId(writtenId)
    return this.#drafts.get(id) ?? this.#begin(draftOf(await requireDataSource(this.scope, id)))
  }

  /** Like `open`, to change the schema. */
  async openToChange(writtenId: string): Promise<SchemaDraft> {
    const draft = await this.open(writtenId)
    if (draft.stored) await requireMayEdit(this.scope, draft.stored.block, 'data source')
    return draft
  }

  /** A new id for a column: four letters and digits that no other column of the data source has or had. */
  newId({ properties, retired, stored } = this.draft): string {
    const taken = new Set([...retired, ...idsOf([...properties, ...(stored?.allProperties ?? [])])])
    for (;;) {
      const id = Array.from({ length: LENGTH }, () => LETTERS[random.int(LETTERS.length)]).join('')
      if (!taken.has(id)) return id
    }
  }

  /** @param property replaces the column with its id, or becomes the last one */
  put(property: StoredProperty, draft = this.draft): void {
    const place = draft.properties.findIndex(({ id }) => id === property.id)
    if (place === -1) draft.properties.push(property)
    else draft.properties[place] = property
    draft.isChanged = true
  }

  remove(id: string): void {
    this.draft.properties = this.draft.properties.filter((property) => property.id !== id)
    this.draft.retired = [...this.draft.retired, id].slice(-RETIRED_MAX)
    this.draft.isChanged = true
  }

  /** Stores what has changed, and records the edits. New data sources are stored by the code that creates them. */
  async save(): Promise<void> {
    const { db, actor, now } = this.scope
    for (const draft of this.#drafts.values()) {
      requireSchemaLimits(draft)
      if (!draft.isChanged || !draft.stored) continue
      if (draft.stored.isDamaged) throw damagedSchema(draft.id)
      const properties = withHidden(draft.stored, draft.properties)
      await updateColumns(db, actor.workspaceId, draft.id, { properties, retired: draft.retired })
      await touch(db, actor.workspaceId, [draft.id, draft.stored.block.parentId], actor.userId, now)
      const changes = changesBetween(draft.stored.properties, draft.properties)
      if (changes.length > 0)
        await recordEvent(this.scope, { type: 'data_source.schema_updated', id: draft.id, properties: changes })
    }
  }
}

/** The changes of the columns visible to the caller, deletions first. */
function changesBetween(before: readonly StoredProperty[], after: readonly StoredProperty[]): PropertyChange[] {
  const [old, next] = [before, after].map((properties) => new Map(properties.map((property) => [property.id, property])))
  const gone = before.filter(({ id }) => !next?.has(id)).map((property) => changeOf(property, 'deleted'))
  const changed = after.flatMap((property): PropertyChange[] => {
    const known = old?.get(property.id)
    if (known && JSON.stringify(known) === JSON.stringify(property)) return []
    return [changeOf(property, known ? 'updated' : 'created')]
  })
  return [...gone, ...changed]
}

function changeOf(property: StoredProperty, action: PropertyChange['action']): PropertyChange {
  const target = property.type === 'relation' ? { targetId: property.dataSourceId } : {}
  return { id: property.id, action, ...target }
}

/** The columns to store. Columns that are not visible to the caller stay unchanged and in place. */
export function withHidden(
  { properties: seen, allProperties }: Pick<DataSource, 'properties' | 'allProperties'>,
  properties: readonly StoredProperty[],
): readonly StoredProperty[] {
  if (seen.length === allProperties.length) return properties
  const seenIds = new Set(seen.map(({ id }) => id))
  const hiddenNames = new Set(allProperties.flatMap(({ id, name }) => (seenIds.has(id) ? [] : name)))
  const written = properties.map((property) =>
    hiddenNames.has(property.name) ? { ...property, yields: true as const } : property,
  )
  const next = new Map(written.map((property) => [property.id, property]))
  const kept = allProperties.flatMap((property) => (seenIds.has(property.id) ? (next.get(property.id) ?? []) : property))
  return [...kept, ...written.filter(({ id }) => !seenIds.has(id))]
}

/** Checks the limits of a schema, as far as it is visible to the caller. */
export function requireSchemaLimits({ properties }: Pick<SchemaDraft, 'properties'>, path = 'body.properties'): void {
  const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
  const sizes = properties.map((property) => ({ ...property, bytes: bytesOf(property) }))
  const [largest] = sizes.sort((one, other) => other.bytes - one.bytes)
  const words = `the largest property is ${JSON.stringify(largest?.name)} (id ${largest?.id}, ${largest?.bytes} bytes)`
  if (properties.length > PROPERTIES_MAX) {
    throw invalid(
      path,
      `should result in a schema of at most ${PROPERTIES_MAX} properties, instead of ${properties.length}; ${words}`,
    )
  }
  const bytes = bytesOf(properties)
  if (bytes > SCHEMA_BYTES_MAX) {
    throw invalid(path, `should result in a schema of at most ${SCHEMA_BYTES_MAX} bytes, instead of ${bytes}; ${words}`)
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 4

/** The error for a damaged schema. Storing the substitute that is shown for it would delete data that can still be restored. */
function damagedSchema(id: string): ServiceError {
  return new ServiceError('conflict_error', {
    message: `The schema of data source ${id} is damaged and cannot be changed. Nothing was changed; the operator of the service can restore it.`,
  })
}
