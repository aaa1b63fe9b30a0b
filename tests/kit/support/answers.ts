import { operations } from '../../../generated/operations.ts'
import type { OperationId } from '../../../server/contract/operation.ts'
import type { TestWorkspace } from '../../../testkit/src/index.ts'
import { contractProblems, type Answer } from '../../harness/answers.ts'
import { parseObject } from '../../harness/json.ts'

interface Parts {
  readonly path?: Readonly<Record<string, string>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls an operation through a fetch of the kit; the answer is held against the contract. */
export async function call(
  { fetch }: Pick<TestWorkspace, 'fetch'>,
  id: OperationId,
  { path = {}, body, headers = {} }: Parts = {},
): Promise<Answer> {
  const { method, path: template } = operations[id]
  const response = await fetch(
    template.replace(/\{(\w+)\}/g, (_whole, name: string) => path[name] ?? ''),
    {
      method: method.toUpperCase(),
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    },
  )
  return answerOf(id, response)
}

/** An answer of an operation, held against the contract. It is not noted as seen: rules of the kit make answers that nothing else does. */
export async function answerOf(id: OperationId, response: Response): Promise<Answer> {
  const raw = { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
  const problems = contractProblems(id, operations[id].method.toUpperCase(), raw)
  if (problems.length > 0)
    throw new Error(`${id} answered ${raw.status} against the contract:\n${problems.join('\n')}\n${raw.text}`)
  return { ...raw, body: raw.headers['content-type']?.startsWith('application/json') ? parseObject(raw.text) : {} }
}

/** Makes a page at the top. @returns its id */
export async function makePage(workspace: Pick<TestWorkspace, 'fetch'>, markdown = 'Low water at nine'): Promise<string> {
  return String((await call(workspace, 'createPage', { body: { markdown } })).body['id'])
}
