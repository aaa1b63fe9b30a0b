import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { ExampleRecord, RecordValues } from '../example_records.ts'
import type { FullRunContext, Resource } from '../full_run_context.ts'
import { sendExamples, type Target } from '../send_examples.ts'
import { propertiesIn } from './data_sources.ts'
import { dataSourceWithAll } from './properties.ts'

const GONE = 404

interface OwnView {
  readonly id: string
  readonly type: string
  /** Ids of the examples. */
  readonly dataSourceId: string
}

/** Views of every type, as tabs and widgets, and their rows. */
export const views: Resource = {
  async make(context) {
    for (const view of context.records.of('view')) await recreateRecord(context, view)
  },

  async exercise(context) {
    const own = madeViews(context)
    await sendExamples(context, operations.createView, {
      // This example is placed beside widgets that a new dashboard lacks.
      uncertain: new Set(['number']),
      onAccepted: ({ record, id }, body) => {
        const dataSourceId = isObject(body) ? String(body['data_source_id']) : ''
        own.push({ id, type: String(record['type']), dataSourceId })
      },
    })
    await sendExamples(context, operations.updateView, {
      // The rows of this example come from another dashboard, but a new dashboard has its own.
      uncertain: new Set(['dashboard']),
      target: (body) => viewFor(context, own, body),
    })
    for (const view of own.filter(({ type }) => type === 'table').slice(0, 1)) await queryView(context, view.id)
    const [last] = own.filter(({ type }) => type === 'list').toReversed()
    if (last) await deleteView(context, last.id)
  },
}

/** Widgets come after their dashboard, in the examples of requests. */
async function recreateRecord(
  { form, records, replacements, writer }: FullRunContext,
  { id, values }: ExampleRecord,
): Promise<void> {
  const { parent, type } = values
  const databaseId = isObject(parent) ? parent['database_id'] : undefined
  // A dashboard needs a data source, but reads back without one.
  const source = values['data_source_id'] ?? records.of('data_source').find((one) => isIn(one.values, databaseId))?.id
  if (!replacements.has(databaseId) || !replacements.has(source)) return
  const { configuration, ...rest } = withoutNulls(values)
  const settings = type === 'dashboard' ? rest : { ...rest, configuration }
  const wanted = form.of('ViewCreateRequest', { ...settings, database_id: databaseId, data_source_id: source })
  const { value, missing } = replacements.fill(wanted, String(source))
  if (value === undefined || missing.length > 0) return
  // A response may refer to records that the examples have deleted.
  const made = await writer.send(
    operations.createView,
    { body: value },
    { name: `a view of type ${String(type)}`, isCertain: false },
  )
  if (made) replacements.set(id, made.id)
}

function isIn({ parent }: RecordValues, databaseId: unknown): boolean {
  return isObject(parent) && parent['database_id'] === databaseId
}

function withoutNulls(values: RecordValues): RecordValues {
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => value !== null && key !== 'parent'))
}

function madeViews({ records, replacements }: FullRunContext): OwnView[] {
  return records.of('view').flatMap(({ id, values }) => {
    const own = replacements.has(id) ? replacements.of(id) : undefined
    return own === undefined ? [] : [{ id: own, type: String(values['type']), dataSourceId: String(values['data_source_id']) }]
  })
}

/** A view of the type that an example configures, over the properties that it refers to. */
function viewFor(context: FullRunContext, own: readonly OwnView[], body: unknown): Target | string {
  const configuration = isObject(body) ? body['configuration'] : undefined
  const type = isObject(configuration) ? configuration['type'] : 'table'
  const fitting = own.filter((view) => view.type === type)
  const quick = isObject(body) && isObject(body['quick_filters']) ? Object.keys(body['quick_filters']) : []
  const dataSourceId = dataSourceWithAll(context, [...propertiesIn(body), ...quick], (id) =>
    fitting.some((view) => view.dataSourceId === id),
  )
  const view = fitting.find((one) => one.dataSourceId === dataSourceId)
  return view ? { path: { view_id: view.id }, dataSourceId: view.dataSourceId } : 'no view of this type has its properties'
}

async function queryView(context: FullRunContext, viewId: string): Promise<void> {
  const { writer, client } = context
  const path = { view_id: viewId }
  const queries: string[] = []
  await sendExamples(context, operations.createViewQuery, {
    target: () => ({ path }),
    onAccepted: ({ id }) => void queries.push(id),
  })
  // The last one is kept for reading.
  for (const queryId of queries.slice(0, -1)) {
    const place = { ...path, query_id: queryId }
    await writer.read(operations.listViewQueryResults, { path: place })
    if (!(await writer.send(operations.deleteViewQuery, { path: place }, { name: 'a query', isCertain: true }))) continue
    const response = await client.call(operations.listViewQueryResults, { path: place })
    writer.expect(
      response.status === GONE,
      operations.deleteViewQuery,
      response,
      'status',
      'is not 404 after the query was deleted',
    )
  }
}

async function deleteView({ writer, client }: FullRunContext, viewId: string): Promise<void> {
  const path = { view_id: viewId }
  if (!(await writer.send(operations.deleteView, { path }, { name: 'a view', isCertain: true }))) return
  const response = await client.call(operations.retrieveView, { path })
  writer.expect(response.status === GONE, operations.deleteView, response, 'status', 'is not 404 after the view was deleted')
}
