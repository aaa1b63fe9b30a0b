import { operations } from '../../../../../generated/operations.ts'
import { propertyEntries } from '@workspace-service/server/contract/copied_records.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { FullRunContext, Resource } from '../full_run_context.ts'
import { noteUnsent, sendExamples, type Target } from '../send_examples.ts'
import { dataSourceWith, dataSourceWithAll } from './properties.ts'

/** Data sources and queries: filters and sorts of every type in the examples. */
export const dataSources: Resource = {
  async exercise(context) {
    await sendExamples(context, operations.queryDataSource, {
      target: (body) => (hasCursor(body) ? OWN_CURSOR : queried(context, body)),
    })
    await sendExamples(context, operations.queryDatabase, { target: (body) => queriedDatabase(context, body) })
    await sendExamples(context, operations.createDataSource)
  },
}

/** Changes of schemas come last: requests of other resources refer to the former properties. */
export const schemas: Resource = {
  async exercise(context) {
    await sendExamples(context, operations.updateDataSource, {
      // This example removes a property that others refer to.
      last: 'change_columns',
      target: (body) => targetOfChange(context, body),
    })
    const { createDataSource, createDatabase, updateDataSource } = operations
    noteUnsent(context, [createDataSource, createDatabase, updateDataSource], 'PropertyConfigRequest')
  },
}

const OWN_CURSOR = 'its cursor belongs to the list of the examples'

function hasCursor(body: unknown): boolean {
  return isObject(body) && typeof body['start_cursor'] === 'string'
}

function queried(context: FullRunContext, body: unknown): Target | string {
  const dataSourceId = dataSourceWithAll(context, [...propertiesIn(body)])
  const own = context.replacements.of(dataSourceId)
  return dataSourceId === undefined || own === undefined
    ? 'no data source has its properties'
    : { path: { data_source_id: own }, dataSourceId }
}

/** Older releases query a database, which then has one data source. */
function queriedDatabase(context: FullRunContext, body: unknown): Target | string {
  const { records, replacements } = context
  const single = records
    .of('database')
    .filter(
      ({ id, values }) => replacements.has(id) && Array.isArray(values['data_sources']) && values['data_sources'].length === 1,
    )
  const dataSourceId = dataSourceWithAll(context, [...propertiesIn(body)], (id) =>
    single.some(({ values }) => JSON.stringify(values['data_sources']).includes(id)),
  )
  const database = single.find(({ values }) => JSON.stringify(values['data_sources']).includes(dataSourceId ?? '-'))
  const own = database && replacements.of(database.id)
  return own === undefined || dataSourceId === undefined
    ? 'no database with one data source was created'
    : { path: { database_id: own }, dataSourceId }
}

async function targetOfChange(context: FullRunContext, body: unknown): Promise<Target | string> {
  const changes = isObject(body) && isObject(body['properties']) ? body['properties'] : {}
  const names = Object.keys(changes)
  const oneWay = await withOneWay(
    context,
    names.filter((name) => hasNewTarget(changes[name])),
  )
  const dataSourceId = dataSourceWith(context, names, (id) => oneWay.has(id))
  const own = context.replacements.of(dataSourceId)
  return dataSourceId === undefined || own === undefined
    ? 'no data source was created'
    : { path: { data_source_id: own }, dataSourceId }
}

/** Whether a change gives a relation another target without setting its other side. */
function hasNewTarget(change: unknown): boolean {
  const relation = isObject(change) ? change['relation'] : undefined
  return isObject(relation) && Object.keys(relation).join() === 'data_source_id'
}

/** The data sources of the examples whose properties have become one-way relations by an earlier example. */
async function withOneWay(
  { records, replacements, writer }: FullRunContext,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const { id } of records.of('data_source')) {
    const own = replacements.has(id) ? replacements.of(id) : undefined
    if (own === undefined) continue
    const read =
      names.length === 0 ? undefined : await writer.read(operations.retrieveDataSource, { path: { data_source_id: own } })
    const columns = new Map(propertyEntries(read?.record))
    const isOneWay = (name: string): boolean => {
      const relation = columns.get(name)?.['relation']
      return isObject(relation) && relation['type'] === 'single_property'
    }
    if (names.every(isOneWay)) found.add(id)
  }
  return found
}

/** The properties that conditions and sorts refer to. */
export function* propertiesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* propertiesIn(item)
  if (!isObject(value)) return
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && /(?:^|_)property(?:_id)?$/.test(key)) yield inner
    else yield* propertiesIn(inner)
  }
}
