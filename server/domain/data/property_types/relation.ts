import type { RelationCondition } from '../../../../generated/types.ts'
import { canonicalId } from '../../../kernel/ids.ts'
import { REFERENCES_MAX } from '../properties/references_max.ts'
import { findById, type PropertyOf } from '../properties/stored.ts'
import { storedLinks, type StoredLinks } from '../properties/stored_values.ts'
import { parseRelation } from '../queries/conditions.ts'
import { indexedCriterion } from '../queries/criteria.ts'
import { BY_PLAIN_VALUE, WITHOUT_SETTINGS, COLUMN_ONLY, WRITABLE, OWN_KEY } from './common.ts'
import type { PropertyFacets, SchemaNames } from './property_facets.ts'

/** Links to rows of another data source or of the same one. */
export const relation: PropertyFacets<'relation'> = {
  config: { ...WITHOUT_SETTINGS, settings: 'relation', present: presentConfig, sources: ({ dataSourceId }) => [dataSourceId] },
  value: {
    ...WRITABLE,
    write(written: { id: string }[], path, property, notes): StoredLinks | undefined {
      const ids = written.map(({ id }) => canonicalId(id))
      ids.forEach((id, index) => notes.linked.push({ property, id, path: `${path}[${index}].id` }))
      return ids.length === 0 ? undefined : { ids: [...new Set(ids)] }
    },
    transfer: (stored, from, to) => (from.dataSourceId === to.dataSourceId ? stored : undefined),
    present: (stored, _property, { referencesMax }) =>
      storedLinks(stored)
        .ids.slice(0, referencesMax)
        .map((id) => ({ id })),
    extraMembers(stored) {
      const { ids, more } = storedLinks(stored)
      return { has_more: ids.length > REFERENCES_MAX || Boolean(more) }
    },
    keys: (stored) => storedLinks(stored).ids.map((id) => ({ textKey: id })),
  },
  conversion: {
    toText: (stored, _property, { titles }) =>
      storedLinks(stored)
        .ids.flatMap((id) => titles.get(id) || [])
        .join(', '),
    fromText: 'none',
    lookups: 'titles',
  },
  filter: {
    ...OWN_KEY,
    operands: 'ids',
    parse: ({ id }, condition: RelationCondition) => {
      const check = parseRelation(condition)
      const read = indexedCriterion(id, check, 'keys', ({ values }) => storedLinks(values[id]).ids)
      if (check.kind !== 'list') return read
      return {
        ...read,
        holds: (row) => (check.keys.some((pageId) => row.leadsTo(id, pageId)) ? !check.negated : read.holds(row)),
        needs: { columns: [], links: check.keys.map((pageId) => ({ propertyId: id, pageId })) },
      }
    },
  },
  sort: ({ id }) => ({ kind: 'pages', propertyId: id }),
  formula: { type: 'pages', value: 'none', describe: ({ dataSourceId }) => ({ relatedDataSourceId: dataSourceId }) },
  rollup: {
    ...BY_PLAIN_VALUE,
    source: 'none',
    toPlain: (payload) => payload.map(({ id }) => id),
    elements: 'each',
    condition: 'relation',
    sort: () => null,
  },
  view: { ...COLUMN_ONLY, setting: 'relation', group: 'relation', defaults: { ...COLUMN_ONLY.defaults, board: 5 } },
  items: 'links',
}

function presentConfig({ dataSourceId, syncedId }: PropertyOf<'relation'>, { source }: SchemaNames): object {
  const target = source(dataSourceId)
  const place = { database_id: target?.databaseId ?? '', data_source_id: dataSourceId }
  const opposite = syncedId === undefined ? undefined : findById(target?.properties ?? [], syncedId)
  return opposite
    ? { ...place, type: 'dual_property', dual_property: { synced_property_id: opposite.id, synced_property_name: opposite.name } }
    : { ...place, type: 'single_property', single_property: {} }
}
