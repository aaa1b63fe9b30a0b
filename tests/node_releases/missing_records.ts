import { operations, type OperationId } from '../../generated/operations.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import { exampleCall, type KnownOperation } from '../harness/every_operation.ts'

/**
 * Calls an operation.
 * @returns the JSON of its response
 * @throws Error for an error response
 */
type Call = (
  operation: KnownOperation,
  request: { readonly path: Readonly<Record<string, string>>; readonly body: unknown },
) => Promise<Readonly<Record<string, unknown>>>

/** Records that examples name and the sample workspace lacks, since only requests create them: by the parameter with their id. */
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

/**
 * Creates a record of each kind.
 * @returns the ids by parameter, and the id of a row
 */
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

/**
 * The path of an example, with the ids of created records. The example page has no properties: where one is requested, the page is a row.
 */
export function pathWith(ids: Ids, path: Ids): Ids {
  const own = Object.fromEntries(Object.entries(path).map(([name, value]) => [name, ids[name] ?? value]))
  return 'property_id' in own ? { ...own, page_id: ids['row_id'] ?? '' } : own
}
