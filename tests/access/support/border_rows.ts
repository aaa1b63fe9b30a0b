import type { OperationId } from '../../../server/contract/operation.ts'
import type { CallParts } from '../../harness/caller.ts'
import type { Kind } from './border_kinds.ts'
import type { CallerName, World } from './border_world.ts'

export interface RequestContext {
  readonly world: World
  readonly caller: CallerName
}

/** A path at which an operation names an object, with a request that is otherwise valid. */
export interface BorderRow {
  readonly operation: OperationId
  /** As `namedPaths` returns it. */
  readonly location: string
  readonly kind: Kind
  request(named: string, context: RequestContext): CallParts | Promise<CallParts>
  /** Another visible object, if the usual one does not fit. */
  readonly visible?: (context: RequestContext) => string
  /** A new object for the request to use up, if the shared visible object must stay. */
  readonly fresh?: (context: RequestContext) => Promise<string>
  /** Set if a missing object is ignored, or a visible one is refused for another reason. */
  readonly isSilent?: true
  /** Distinguishes rows of the same path. */
  readonly note?: string
}
