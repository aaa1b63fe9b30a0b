import { operations } from '../../../generated/operations.ts'
import type { OperationId } from '../../../server/contract/operation.ts'
import type { TestWorkspace } from '../../../testkit/src/index.ts'
import { contractProblems, type TestResponse } from '../../harness/responses.ts'
import { parseObject } from '../../harness/json.ts'

interface Parts {
  readonly path?: Readonly<Record<string, string>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls an operation through the kit's fetch, and checks the response against the contract. */
export async function call(
  { fetch }: Pick<TestWorkspace, 'fetch'>,
  id: OperationId,
  { path = {}, body, headers = {} }: Parts = {},
): Promise<TestResponse> {
  const { method, path: template } = operations[id]
  const response = await fetch(
    template.replace(/\{(\w+)\}/g, (_whole, name: string) => path[name] ?? ''),
    {
      method: method.toUpperCase(),
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    },
  )
  return responseOf(id, response)
}

/** Checks a response against the contract. It is not recorded as seen: only rules of the kit cause such responses. */
export async function responseOf(id: OperationId, response: Response): Promise<TestResponse> {
  const raw = { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
  const problems = contractProblems(id, operations[id].method.toUpperCase(), raw)
  if (problems.length > 0)
    throw new Error(`${id} responded with ${raw.status} in violation of the contract:\n${problems.join('\n')}\n${raw.text}`)
  return { ...raw, body: raw.headers['content-type']?.startsWith('application/json') ? parseObject(raw.text) : {} }
}

/**
 * Creates a page at the top.
 * @returns its id
 */
export async function makePage(workspace: Pick<TestWorkspace, 'fetch'>, markdown = 'Low water at nine'): Promise<string> {
  return String((await call(workspace, 'createPage', { body: { markdown } })).body['id'])
}
