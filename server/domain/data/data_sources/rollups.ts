import type { RollupConfigRequest } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import { findById, findProperty, type RollupProperty, type StoredProperty } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import type { SchemaDraft, SchemaSession } from './schema_session.ts'

/** Turns a column into a rollup. Its function is checked later, together with all other computed columns. See `rollupConfig`. */
export async function putRollup(
  session: SchemaSession,
  column: StoredProperty,
  request: Partial<RollupConfigRequest>,
  path: string,
): Promise<void> {
  const { id, name, description, hidden } = column
  const config = await rollupConfig(session, request, path, column.type === 'rollup' ? column : undefined)
  session.put({ id, name, description, ...(hidden ? { hidden } : {}), ...config })
  session.rollups.set(id, path)
}

/**
 * The settings of a rollup, checked against the current schemas.
 * @param path their path in the request
 * @param before the settings that omitted members keep
 */
async function rollupConfig(
  session: SchemaSession,
  request: Partial<RollupConfigRequest>,
  path: string,
  before: RollupProperty | undefined,
): Promise<Pick<RollupProperty, 'type' | 'function' | 'relationId' | 'targetId'>> {
  const relation =
    find(session.draft, request, 'relation_property', path) ??
    (before && isOmitted(request, 'relation_property') ? findById(session.draft.properties, before.relationId) : undefined)
  if (relation?.type !== 'relation') throw invalid(path, 'should name a relation of this data source')
  const target = await session.open(relation.dataSourceId)
  const rolled =
    find(target, request, 'rollup_property', path) ??
    (before && isOmitted(request, 'rollup_property') ? findById(target.properties, before.targetId) : undefined)
  if (!rolled) throw invalid(path, 'should name a property of the related data source')
  if (facetsOf(rolled.type).rollup === 'none') {
    throw invalid(path, `should not roll up a property of type ${rolled.type}`)
  }
  const rollupFunction = request.function ?? before?.function
  if (rollupFunction === undefined) throw invalid(`${path}.function`, 'should be defined')
  return { type: 'rollup', function: rollupFunction, relationId: relation.id, targetId: rolled.id }
}

type Named = 'relation_property' | 'rollup_property'

/** The property that a request names by id, name or both. If both are given, the id decides: the name may be outdated. */
function find(
  { properties }: SchemaDraft,
  request: Partial<RollupConfigRequest>,
  which: Named,
  path: string,
): StoredProperty | undefined {
  const [name, id] = [request[`${which}_name`] || undefined, request[`${which}_id`] || undefined]
  const named = name === undefined ? undefined : findProperty(properties, name)
  if (id === undefined) return named
  const found = findById(properties, id)
  if (named && found && named.id !== found.id)
    throw invalid(`${path}.${which}_name`, `should be \`"${found.name}"\`, the name of the property with that id`)
  return found
}

function isOmitted(request: Partial<RollupConfigRequest>, which: Named): boolean {
  return !request[`${which}_name`] && !request[`${which}_id`]
}
