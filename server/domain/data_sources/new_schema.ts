import type {
  DataSourcePropertiesRequest,
  PropertyConfigRequest,
  RelationConfigRequest,
  RollupConfigRequest,
} from '../../../generated/types.ts'
import { invalid } from '../failures.ts'
import { resolveComputed, writeFormula, type WrittenComputed } from './check_computed.ts'
import { newColumn, requireOnlyOne, writtenConfig } from './new_config.ts'
import { addRelation } from './relations.ts'
import { putRollup } from './rollups.ts'
import { requireSchemaLimits, type SchemaDraft, type SchemaSession } from './schema_session.ts'

/**
 * Adds the columns of a request to a new schema, checked against each other: all of them or none.
 * @param path their path in the request
 */
export async function draftNewSchema(
  session: SchemaSession,
  draft: SchemaDraft,
  requests: DataSourcePropertiesRequest,
  path: string,
): Promise<void> {
  const entries = Object.entries(requests)
  const titles = entries.filter(([, request]) => 'title' in request)
  if (titles.length !== 1) throw invalid(path, `should hold exactly one property of type title, instead of ${titles.length}`)
  const written = entries.map(([name, request]) => ({ name, request, path: `${path}.${name}` }))
  const computed: WrittenComputed = { formulas: new Map(), rollups: new Map() }
  // Rollups and formulas refer to other columns: they are placeholders until all columns are known.
  for (const column of written) addPlain(session, draft, column, computed)
  for (const { name, request, path: place } of written) {
    const column = draft.properties.find((property) => property.name === name)
    if (column && 'relation' in request)
      await addRelation(session, draft, column, request.relation as RelationConfigRequest, `${place}.relation`)
  }
  for (const { name, request, path: place } of written) {
    const column = draft.properties.find((property) => property.name === name)
    if (column && 'rollup' in request)
      await putRollup(session, draft, column, request.rollup as RollupConfigRequest, `${place}.rollup`, computed)
  }
  await resolveComputed(session, draft, computed)
  requireSchemaLimits(draft, path)
}

interface WrittenColumn {
  readonly name: string
  readonly request: PropertyConfigRequest
  readonly path: string
}

/** Adds a column. Relations and computed columns are placeholders until their settings are known. */
function addPlain(
  session: SchemaSession,
  draft: SchemaDraft,
  { name, request, path }: WrittenColumn,
  computed: WrittenComputed,
): void {
  const written = writtenConfig(request)
  if (!written) throw invalid(path, 'should hold the settings of one type of property')
  requireOnlyOne(draft.properties, written.type, path)
  const id = written.type === 'title' ? 'title' : session.newId(draft)
  session.put(draft, newColumn({ id, name, description: request.description ?? null }, written, path))
  if (written.type === 'formula') writeFormula(computed, id, written.content, path)
}
