import type { ContractDocument } from './contract_document.ts'
import type { DescribedOperation } from './document_validator.ts'

const METHODS = ['get', 'post', 'patch', 'delete'] as const

/** The operation that a request matches. */
export interface DocumentMatch {
  readonly operation: DescribedOperation
  readonly path: Readonly<Record<string, string>>
}

/** The operations of a small document in the form for servers, in which parameters are written out instead of referenced. */
export class DocumentOperations {
  readonly #operations: readonly (DescribedOperation & { readonly segments: readonly string[] })[]

  constructor(document: ContractDocument) {
    this.#operations = Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method]
        if (operation === undefined) return []
        return {
          id: operation.operationId,
          method,
          path,
          segments: path.slice(1).split('/'),
          requestTypes: Object.keys(operation.requestBody?.content ?? {}),
          queryParameters: (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name),
        }
      }),
    )
  }

  /** @returns the match; the allowed methods, if the path exists but not with this one; undefined for an unknown path */
  find(method: string, segments: readonly string[]): DocumentMatch | readonly string[] | undefined {
    const fitting = this.#operations.filter((operation) => fits(operation.segments, segments))
    if (fitting.length === 0) return undefined
    const operation = fitting.find((one) => one.method === method.toLowerCase())
    if (!operation) return fitting.map((one) => one.method.toUpperCase())
    const named = operation.segments.flatMap((segment, index) =>
      segment.startsWith('{') ? [[segment.slice(1, -1), segments[index] ?? ''] as const] : [],
    )
    return { operation, path: Object.fromEntries(named) }
  }
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((segment, index) => segment.startsWith('{') || segment === segments[index])
  )
}
