import type { ClientOperation } from '../../generated/client_operations.ts'
import type { AnyInput } from './request.ts'

/** Sorts the parameters of a method by their places in the request: path, query, or else the body. */
export function splitParameters(
  operation: ClientOperation,
  parameters: Readonly<Record<string, unknown>> = {},
  options: AnyInput = {},
): AnyInput {
  const path: Record<string, unknown> = {}
  const query: Record<string, unknown> = {}
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(parameters)) {
    if (operation.path.includes(`{${name}}`)) path[name] = value
    else if (operation.query?.includes(name)) query[name] = value
    else if (value !== undefined) body[name] = value
  }
  const hasBody = operation.body !== undefined || Object.keys(body).length > 0
  return { ...options, path, query, ...(hasBody && { body }) }
}
