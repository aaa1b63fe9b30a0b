import { clientOperations } from '../../../generated/client_operations.ts'
import { operations, type OperationId } from '../../../generated/operations.ts'
import { findRoute } from '@workspace-service/server/contract/operation.ts'

/** The words of each operation's name in the client, by operation. The last one is its verb. */
const wordsOf = Object.values(clientOperations).map(({ id, name }) => ({ id, words: name.split('.').flatMap(words) }))

/** `listTemplates` -> `list`, `templates` */
function words(name: string): string[] {
  return name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
}

/**
 * The operation that a method performs, by the words of its name in any order: clients of this protocol agree on them, as in
 * `dataSources.templates.list` and `dataSources.listTemplates`. The verb may be missing, as in `users.me`.
 * @returns the operation, and how many of the last names belong to it
 */
export function operationOfNames(names: readonly string[]): { readonly id: OperationId; readonly length: number } | undefined {
  for (let length = Math.min(names.length, 4); length > 0; length -= 1) {
    const written = names.slice(-length).flatMap(words).toSorted().join()
    const isSame = (others: readonly string[]): boolean => others.toSorted().join() === written
    const exact = wordsOf.filter((known) => isSame(known.words))
    const found = exact.length > 0 ? exact : length < 2 ? [] : wordsOf.filter((known) => isSame(known.words.slice(0, -1)))
    const [only, another] = found
    if (only && !another) return { id: only.id, length }
  }
  return undefined
}

/** The operation of a method and a path, which may begin with an address, `/v1` or neither. Segments like `{page_id}` match any text. */
export function operationOfPath(method: string, path: string): OperationId | undefined {
  const [written = ''] = path.replace(/^https?:\/\/[^/]*/, '').split('?')
  const segments = written.split('/').filter((segment) => segment !== '')
  const route = findRoute(method.toUpperCase(), segments[0] === 'v1' ? segments : ['v1', ...segments])
  return route && 'operation' in route ? route.operation.id : undefined
}

/**
 * The value that a type names: one of the schemas of the contract, or the response of an operation. Other clients add `Response` to the names
 * of schemas, and begin those of operations with `Get`.
 */
export function describedByType(name: string): { readonly schemas: readonly string[]; readonly received?: OperationId } {
  const start = name.replace(/Response$/, '')
  if (start === name) return { schemas: [name] }
  const id = `${start.charAt(0).toLowerCase()}${start.slice(1)}`.replace(/^get(?=[A-Z])/, 'retrieve')
  return isOperation(id) ? { schemas: [], received: id } : { schemas: [start, start.replace(/Object$/, '')] }
}

export function isOperation(id: string): id is OperationId {
  return Object.hasOwn(operations, id)
}
