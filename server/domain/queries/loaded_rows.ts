import { findBlocks } from '../../store/blocks.ts'
import { pagesLinkedTo } from '../../store/cells.ts'
import { findPageRecords } from '../../store/pages.ts'
import type { DataSource } from '../data_sources/load.ts'
import type { StoredProperty } from '../properties/stored.ts'
import { linksOf, type ValueFacts } from '../properties/value_kinds.ts'
import { computeValues } from '../rows/computed.ts'
import { valueFacts } from '../rows/payload.ts'
import type { Row } from '../rows/row.ts'
import type { Scope } from '../scope.ts'

/** A row with everything that decides about it. */
export interface LoadedRow extends Row {
  readonly facts: ValueFacts
  readonly computed: ReadonlyMap<string, unknown>
  /** Whether a relation with more links than its document holds leads to a page. */
  leadsTo(propertyId: string, pageId: string): boolean
}

/** What has to be at hand to decide about rows. */
export interface Needs {
  /** Columns whose values are asked for. */
  readonly columns: readonly StoredProperty[]
  /** Links that are asked for: a relation and the page it leads to. */
  readonly links: readonly { readonly propertyId: string; readonly pageId: string }[]
}

/** Rows by id, with what is needed of them; those that are gone are left out. */
export async function loadRows(
  scope: Scope,
  dataSource: DataSource,
  ids: readonly string[],
  { columns, links }: Needs,
): Promise<Map<string, LoadedRow>> {
  const { workspaceId } = scope.actor
  const [blocks, records] = [await findBlocks(scope.db, workspaceId, ids), await findPageRecords(scope.db, workspaceId, ids)]
  const rows = ids.flatMap((id): Row[] => {
    const [block, record] = [blocks.get(id), records.get(id)]
    return block && record ? [{ block, ...record }] : []
  })
  const facts = await valueFacts(scope, rows, columns)
  const computedColumns = columns.filter(({ type }) => type === 'formula' || type === 'rollup')
  const computed = computedColumns.length === 0 ? new Map() : await computeValues(scope, dataSource, rows, computedColumns, true)
  const known = await findLinks(scope, rows, links)
  return new Map(
    rows.map((row) => {
      const { id } = row.block
      const leadsTo = (propertyId: string, pageId: string): boolean => known.has(`${id} ${propertyId} ${pageId}`)
      return [id, { ...row, facts, computed: computed.get(id) ?? new Map(), leadsTo }]
    }),
  )
}

async function findLinks(scope: Scope, rows: readonly Row[], links: Needs['links']): Promise<Set<string>> {
  const found = new Set<string>()
  for (const { propertyId, pageId } of links) {
    const long = rows.filter(({ values }) => linksOf(values[propertyId]).more).map(({ block }) => block.id)
    for (const id of await pagesLinkedTo(scope.db, scope.actor.workspaceId, long, propertyId, pageId))
      found.add(`${id} ${propertyId} ${pageId}`)
  }
  return found
}
