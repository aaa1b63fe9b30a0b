import { operations, type Operation, type OperationId } from '../../generated/operations.ts'
import { similarWord } from './similar_word.ts'
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
  readonly path: string
  readonly segments: readonly RouteSegment[]
  readonly byMethod: ReadonlyMap<string, Operation & { readonly id: OperationId }>
}

/** A literal segment, or the name of the parameter in its place. */
type RouteSegment = { readonly literal: string } | { readonly parameter: string }

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
    const segments = path.slice(1).split('/').map(routeSegment)
    byLength.set(segments.length, [...(byLength.get(segments.length) ?? []), { path, segments, byMethod }])
  }
  for (const list of byLength.values()) list.sort((a, b) => literals(b) - literals(a))
  return byLength
}

function routeSegment(written: string): RouteSegment {
  return written.startsWith('{') ? { parameter: written.slice(1, -1) } : { literal: written }
}

function literals(route: Route): number {
  return route.segments.filter((segment) => 'literal' in segment).length
}

/**
 * Finds the operation for a method and path, of any version.
 * @param segments the segments of the path, decoded
 * @returns the match; the allowed methods, if the path does not have this one; undefined for an unknown path
 */
export function findRoute(method: string, segments: readonly string[]): RouteMatch | readonly string[] | undefined {
  const route = routesByLength.get(segments.length)?.find((candidate) => matches(candidate, segments))
  if (!route) return undefined
  // The response to HEAD is that of GET without a body.
  const operation = route.byMethod.get(method === 'HEAD' ? 'GET' : method)
  if (!operation) return allowedMethods(route)
  const pathParameters: Record<string, string> = {}
  route.segments.forEach((segment, index) => {
    if ('parameter' in segment) pathParameters[segment.parameter] = segments[index] ?? ''
  })
  return { operation, pathParameters }
}

/** The path in the contract that an unknown path probably means: all of its literal segments are the same or similar. */
export function similarPath(segments: readonly string[]): string | undefined {
  const isSimilar = ({ segments: known }: Route): boolean =>
    known.every((segment, index) => 'parameter' in segment || similarWord(segments[index] ?? '', [segment.literal]) !== undefined)
  return routesByLength.get(segments.length)?.find(isSimilar)?.path
}

function matches(route: Route, segments: readonly string[]): boolean {
  return route.segments.every((segment, index) => 'parameter' in segment || segment.literal === segments[index])
}

function allowedMethods(route: Route): readonly string[] {
  const methods = [...route.byMethod.keys()]
  return methods.includes('GET') ? [...methods, 'HEAD', 'OPTIONS'] : [...methods, 'OPTIONS']
}
