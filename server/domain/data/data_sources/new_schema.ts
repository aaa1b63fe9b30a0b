import type {
  DataSourcePropertiesRequest,
  PropertyConfigRequest,
  RelationConfigRequest,
  RollupConfigRequest,
} from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import type { StoredProperty } from '../properties/stored.ts'
import { resolveComputed, writeFormula } from './check_computed.ts'
import { newColumn, requireOnlyOne, writtenConfig } from './new_config.ts'
import { addRelation } from './relations.ts'
import { putRollup } from './rollups.ts'
import { requireSchemaLimits, type SchemaSession } from './schema_session.ts'

/**
 * Adds the columns of a request to a new schema, all or none. They may refer to each other.
 * @param path their path in the request
 */
export async function draftNewSchema(session: SchemaSession, requests: DataSourcePropertiesRequest, path: string): Promise<void> {
  const entries = Object.entries(requests)
  const titles = entries.filter(([, request]) => 'title' in request)
  if (titles.length !== 1) throw invalid(path, `should contain exactly one property of type title, instead of ${titles.length}`)
  const columns = entries.map(([name, request]) => {
    const place = `${path}.${name}`
    return { column: addPlain(session, name, request, place), request, place }
  })
  for (const { column, request, place } of columns)
    if ('relation' in request) await addRelation(session, column, request.relation as RelationConfigRequest, `${place}.relation`)
  for (const { column, request, place } of columns)
    if ('rollup' in request) await putRollup(session, column, request.rollup as RollupConfigRequest, `${place}.rollup`)
  await resolveComputed(session)
  requireSchemaLimits(session.draft, path)
}

/** Adds a column. Relations and computed columns are placeholders until their settings are known. */
function addPlain(session: SchemaSession, name: string, request: PropertyConfigRequest, path: string): StoredProperty {
  const written = writtenConfig(request)
  if (request.name && request.name !== name)
    throw invalid(`${path}.name`, `should be \`${JSON.stringify(name)}\`, the key of the property`)
  if (!written) throw invalid(path, 'should contain the settings of one type of property')
  requireOnlyOne(session.draft.properties, written.type, path)
  const id = written.type === 'title' ? 'title' : session.newId()
  const added = newColumn({ id, name, description: request.description ?? null }, written, path)
  session.put(added)
  if (added.type === 'formula') writeFormula(session, id, written.content, path)
  return added
}
