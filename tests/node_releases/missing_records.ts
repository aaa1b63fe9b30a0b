import { operations, type OperationId } from '../../generated/operations.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import { exampleCall, type KnownOperation } from '../harness/every_operation.ts'

/** Calls an operation. @returns the JSON of its answer @throws Error for a refusal */
type Call = (
  operation: KnownOperation,
  asked: { readonly path: Readonly<Record<string, string>>; readonly body: unknown },
) => Promise<Readonly<Record<string, unknown>>>

/** What examples name and the sample workspace lacks, since only requests make it: by the parameter that takes its id. */
const MAKERS: Readonly<Record<string, { readonly id: OperationId; readonly body?: (ids: Ids) => object }>> = {
  file_upload_id: { id: 'createFileUpload' },
  query_id: { id: 'createViewQuery' },
  session_id: { id: 'createSession', body: ({ agent_id: agent }) => ({ message: 'Which boats are ashore?', agent_id: agent }) },
  subscription_id: { id: 'createWebhookSubscription' },
  task_id: {
    id: 'createPage',
    body: ({ page_id: page }) => ({ parent: { page_id: page }, markdown: 'Text', allow_async: true }),
  },
}

type Ids = Readonly<Record<string, string>>

/** Makes a record of each kind. @returns the ids, by the parameters that take them, and that of a row */
export async function makeMissing(call: Call): Promise<Ids> {
  const known = { ...exampleCall(operations.retrieveAgent).path, ...exampleCall(operations.retrievePage).path }
  const ids: Record<string, string> = {}
  for (const [parameter, { id, body }] of Object.entries(MAKERS)) {
    const example = exampleCall(operations[id])
    const made = await call(operations[id], { path: example.path, body: body?.(known) ?? example.body })
    ids[parameter] = String(made['id'])
  }
  const { path } = exampleCall(operations.queryDataSource)
  const rows = await call(operations.queryDataSource, { path, body: { page_size: 1 } })
  const [row]: unknown[] = Array.isArray(rows['results']) ? rows['results'] : []
  return { ...ids, row_id: isObject(row) ? String(row['id']) : '' }
}

/** The path of an example, with the ids of what has been made. The example of a page has no properties: where one is asked for, it is a row. */
export function pathWith(ids: Ids, path: Ids): Ids {
  const own = Object.fromEntries(Object.entries(path).map(([name, value]) => [name, ids[name] ?? value]))
  return 'property_id' in own ? { ...own, page_id: ids['row_id'] ?? '' } : own
}
