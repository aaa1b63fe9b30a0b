import { BrandedValues } from '@workspace-service/server/contract/branded_values.ts'
import { findRoute } from '@workspace-service/server/contract/operation.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'

/**
 * A `fetch` for the server of a brand. It replaces the brand's values, such as `acme formula`, by those of this service, such as `service
 * formula`.
 */
export function unbrandedFetch(brand: string): (request: Request) => Promise<Response> {
  const values = BrandedValues.of(brand)
  return async (request) => {
    const response = await fetch(request)
    const operationId = operationOf(request)
    if (values === undefined || operationId === undefined || !response.ok || !isJson(response)) return response
    const text = await response.text()
    const body = parsed(text)
    const own = isObject(body) ? JSON.stringify(values.ownResponse(operationId, body)) : text
    const headers = new Headers(response.headers)
    // These headers describe the body as it was sent.
    for (const name of ['content-length', 'content-encoding']) headers.delete(name)
    return new Response(own, { status: response.status, headers })
  }
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/json') ?? false
}

/** The value of a JSON text; undefined for an invalid text, which the client reports. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The operation that a request calls, if its responses contain values of a brand. */
function operationOf({ method, url }: Request): string | undefined {
  const path = new URL(url).pathname
  const segments = path
    .slice(path.indexOf('/v1/') + 1)
    .split('/')
    .map(decodeURIComponent)
  const route = findRoute(method, segments)
  return route !== undefined && 'operation' in route && BrandedValues.isIn('response', route.operation.id)
    ? route.operation.id
    : undefined
}
