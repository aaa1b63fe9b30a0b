import type { OperationId } from '../../../server/contract/operation.ts'
import type { CallParts } from '../../harness/caller.ts'
import type { Kind } from './border_kinds.ts'
import type { Who, World } from './border_world.ts'

export interface Asking {
  readonly world: World
  readonly who: Who
}

/** A place where an operation names something, with a request that names it there and is right in all else. */
export interface BorderRow {
  readonly operation: OperationId
  /** As `namedPlaces` calls it. */
  readonly place: string
  readonly kind: Kind
  ask(named: string, asking: Asking): CallParts | Promise<CallParts>
  /** Another one that is visible, where the usual one does not fit. */
  readonly visible?: (asking: Asking) => string
  /** Something for the request to spend, where what is visible to everybody has to stay. */
  readonly fresh?: (asking: Asking) => Promise<string>
  /** What is not there is passed over, or what is visible is refused for another reason. */
  readonly isSilent?: true
  /** Told from other rows of the same place. */
  readonly note?: string
}
