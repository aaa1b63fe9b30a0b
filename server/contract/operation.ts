import { operations, type Operation, type OperationId } from '../../generated/operations.ts'
import type { CalledWith } from './validated_call.ts'

export type { Operation, OperationId }

/** An operation that is called with a client id and secret. */
export type ClientOperation = Operation & { readonly id: CalledWith<'client'> }

export function isForClients(operation: Operation): operation is ClientOperation {
  return operation.credentials === 'client'
}

export interface RouteMatch {
  readonly operation: Operation & { readonly id: OperationId }
  readonly pathParameters: Readonly<Record<string, string>>
}

interface Route {
  readonly segments: readonly string[]
  readonly byMethod: ReadonlyMap<string, Operation & { readonly id: OperationId }>
}

/** Routes by their number of segments. Those with more literal segments come first: `/v1/users/me` before `/v1/users/{user_id}`. */
const routesByLength = buildRoutes()

function buildRoutes(): ReadonlyMap<number, readonly Route[]> {
  const routes = new Map<string, Map<string, Operation & { readonly id: OperationId }>>()
  for (const operation of Object.values(operations)) {
    const methods = routes.get(operation.path) ?? new Map()
    methods.set(operation.method.toUpperCase(), operation)
    routes.set(operation.path, methods)
  }
  const byLength = new Map<number, Route[]>()
  for (const [path, byMethod] of routes) {
    const segments = path.slice(1).split('/')
    byLength.set(segments.length, [...(byLength.get(segments.length) ?? []), { segments, byMethod }])
  }
  for (const list of byLength.values()) list.sort((a, b) => literals(b) - literals(a))
  return byLength
}

function literals(route: Route): number {
  return route.segments.filter((segment) => !segment.startsWith('{')).length
}

/**
 * Finds the operation for a method and path, of any version.
 * @param segments the segments of the path, decoded
 * @returns the match; the allowed methods, if the path does not have this one; undefined for an unknown path
 */
export function findRoute(method: string, segments: readonly string[]): RouteMatch | readonly string[] | undefined {
  const route = routesByLength.get(segments.length)?.find((candidate) => matches(candidate, segments))
  if (!route) return undefined
  // HEAD is answered as GET without a body.
  const operation = route.byMethod.get(method === 'HEAD' ? 'GET' : method)
  if (!operation) return allowedMethods(route)
  const pathParameters: Record<string, string> = {}
  for (const [index, segment] of route.segments.entries()) {
    if (segment.startsWith('{')) pathParameters[segment.slice(1, -1)] = segments[index] ?? ''
  }
  return { operation, pathParameters }
}

function matches(route: Route, segments: readonly string[]): boolean {
  return route.segments.every((segment, index) => segment.startsWith('{') || segment === segments[index])
}

function allowedMethods(route: Route): readonly string[] {
  const methods = [...route.byMethod.keys()]
  return methods.includes('GET') ? [...methods, 'HEAD', 'OPTIONS'] : [...methods, 'OPTIONS']
}
