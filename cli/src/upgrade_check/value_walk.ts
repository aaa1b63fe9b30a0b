import type { Node } from '@babel/types'
import type { CheckState } from './check_state.ts'
import type { CodeFile } from './code_files.ts'
import type { CodeScope } from './code_scope.ts'
import type { MemberNode } from './syntax.ts'
import type { FunctionNode, OperationCall, TrackedValue } from './tracked_value.ts'

/** Follows the values of one file: what the code sends to operations, and what it does with responses. */
export interface ValueWalk {
  readonly state: CheckState
  readonly file: CodeFile
  /** Calls whose responses the code does not read. */
  readonly unread: WeakSet<Node>
  /** Reports names that only the older contract has. */
  lost(node: Node, subjects: readonly string[], call: OperationCall | undefined): void
  /** The value of an expression; visits all code in it. */
  value(node: Node | null | undefined, scope: CodeScope): TrackedValue | undefined
  /** Visits a function. @param given the values of its parameters @returns what it returns */
  call(node: FunctionNode, scope: CodeScope, given: readonly (TrackedValue | undefined)[]): TrackedValue | undefined
  /** A property that the code reads. @param object the value that has it */
  memberValue(node: MemberNode, object: TrackedValue | undefined, scope: CodeScope): TrackedValue | undefined
  /** The value that another file of the code base assigns to `module.exports`. */
  required(source: string): TrackedValue | undefined
}
