import type {
  ArrowFunctionExpression,
  ClassMethod,
  ClassPrivateMethod,
  FunctionDeclaration,
  FunctionExpression,
  Node,
  ObjectMethod,
} from '@babel/types'
import type { OperationId } from '../../../generated/operations.ts'
import type { DatedShape } from './dated_shape.ts'

export type FunctionNode =
  | ArrowFunctionExpression
  | ClassMethod
  | ClassPrivateMethod
  | FunctionDeclaration
  | FunctionExpression
  | ObjectMethod

export interface OperationCall {
  readonly id: OperationId
  readonly node: Node
}

/** Known facts about a value in the code. */
export type TrackedValue =
  /** A response, or a part of one. */
  | { readonly kind: 'received'; readonly shape: DatedShape; readonly call: OperationCall | undefined }
  /** An object that the code writes. */
  | WrittenObject
  | { readonly kind: 'text'; readonly text: string; readonly node: Node }
  /** Values in this order, such as the elements of an array. */
  | { readonly kind: 'list'; readonly items: readonly (TrackedValue | undefined)[] }
  /** Any number of similar values. */
  | { readonly kind: 'each'; readonly of: TrackedValue | undefined }
  | { readonly kind: 'either'; readonly of: readonly TrackedValue[] }
  | { readonly kind: 'function'; readonly node: FunctionNode }
  /** A method that performs an operation. */
  | { readonly kind: 'method'; readonly id: OperationId }

export interface WrittenObject {
  readonly kind: 'object'
  readonly node: Node
  readonly members: ReadonlyMap<string, { readonly key: Node; readonly value: TrackedValue | undefined }>
  /** Objects whose members it also has. */
  readonly spread: readonly (TrackedValue | undefined)[]
}

/** A value that may be any of the known ones. */
export function oneOfValues(values: readonly (TrackedValue | undefined)[]): TrackedValue | undefined {
  const known = [...new Set(values.filter((value) => value !== undefined))]
  return known.length > 1 ? { kind: 'either', of: known } : known[0]
}

/** An item of an array, or of a list that was received. */
export function trackedItem(value: TrackedValue | undefined): TrackedValue | undefined {
  if (value?.kind === 'list') return oneOfValues(value.items)
  if (value?.kind === 'each') return value.of
  if (value?.kind === 'either') return oneOfValues(value.of.map(trackedItem))
  if (value?.kind !== 'received') return undefined
  const shape = value.shape.items()
  return shape && { ...value, shape }
}
