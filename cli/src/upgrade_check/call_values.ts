import type { Node } from '@babel/types'
import type { OperationId } from '../../../generated/operations.ts'
import type { DatedShape } from './dated_shape.ts'
import { nameChain, type MemberNode } from './syntax.ts'
import type { ValueWalk } from './value_walk.ts'
import { isOperation, operationOfNames, operationOfPath } from './operation_names.ts'
import type { CodeScope } from './code_scope.ts'
import { checkSent } from './sent_values.ts'
import { trackedItem, type OperationCall, type TrackedValue } from './tracked_value.ts'

type CallNode = Extract<Node, { type: 'CallExpression' | 'OptionalCallExpression' | 'NewExpression' }>
type Values = readonly (TrackedValue | undefined)[]

/** Array methods with the position of the item among their callback's parameters: `reduce` passes the accumulator first. */
const CALLBACKS = {
  map: 0,
  flatMap: 0,
  forEach: 0,
  filter: 0,
  find: 0,
  findLast: 0,
  some: 0,
  every: 0,
  reduce: 1,
  toSorted: 0,
  sort: 0,
}
/** Methods that return the values that they are called on. */
const SAME = ['filter', 'toSorted', 'sort', 'slice', 'reverse', 'toReversed', 'concat', 'catch', 'finally', 'values', 'pages']
const ITEMS = ['find', 'findLast', 'at', 'pop', 'shift']

/** The value of a call. Checks the calls of operations. */
export function callValue(walk: ValueWalk, node: CallNode, scope: CodeScope): TrackedValue | undefined {
  const names = nameChain(node.callee)
  const direct = operationOf(walk, names)
  // Before the arguments, so that a callback of `then` knows its response.
  const object = direct || !isMember(node.callee) ? undefined : walk.value(node.callee.object, scope)
  const name = names.at(-1) ?? ''
  if (!direct && object && name in CALLBACKS) return onItems(walk, node, scope, name, object)
  const [first, second, ...rest] = node.arguments.map((argument) => walk.value(argument, scope))
  if (direct) return operationCall(walk, node, direct, first, walk.state.pair.sent(direct))
  if (first?.kind === 'method' && second) {
    // A helper that gets a method calls it again for each page.
    return { kind: 'each', of: trackedItem(operationCall(walk, node, first.id, second, walk.state.pair.sent(first.id))) }
  }
  const general = generalCall(walk, node, name, [first, second])
  if (general) return general
  if (names.length === 1 && name === 'require' && first?.kind === 'text') return walk.required(first.text)
  if (name === 'then') return called(walk, first, [object]) ?? object
  if (name === 'all' && names.at(-2) === 'Promise') return first
  if (object && name === 'all') return { kind: 'each', of: trackedItem(object) }
  if (object && name === 'withResponse') return written(node, { data: object })
  if (object && SAME.includes(name)) return object
  if (object && ITEMS.includes(name)) return trackedItem(object)
  const callee = isMember(node.callee) ? walk.memberValue(node.callee, object, scope) : walk.value(node.callee, scope)
  return called(walk, callee, [first, second, ...rest])
}

function operationOf({ state }: ValueWalk, names: readonly string[]): OperationId | undefined {
  const found = operationOfNames(names)
  if (!found || names.length === found.length) return undefined
  const client = names.slice(0, -found.length).join('.')
  if (found.length > 1) state.clients.add(client)
  return state.clients.has(client) ? found.id : undefined
}

/** A callback for each item of an array. */
function onItems(
  walk: ValueWalk,
  node: CallNode,
  scope: CodeScope,
  name: string,
  object: TrackedValue,
): TrackedValue | undefined {
  const item = trackedItem(object)
  const [callback, ...others] = node.arguments
  for (const other of others) walk.value(other, scope)
  const position = CALLBACKS[name as keyof typeof CALLBACKS]
  const given: Values = position === 0 ? [item, name.includes('ort') ? item : undefined] : [undefined, item]
  const isFunction = callback?.type === 'ArrowFunctionExpression' || callback?.type === 'FunctionExpression'
  const returned = isFunction ? walk.call(callback, scope, given) : called(walk, walk.value(callback, scope), given)
  if (name === 'map') return { kind: 'each', of: returned }
  if (name === 'flatMap') return { kind: 'each', of: trackedItem(returned) ?? returned }
  return SAME.includes(name) ? object : ITEMS.includes(name) ? item : undefined
}

/** A call of a function of the code base: its parameters are known the next time that the code is walked. */
function called(walk: ValueWalk, value: TrackedValue | undefined, given: Values): TrackedValue | undefined {
  if (value?.kind !== 'function') return undefined
  const known = walk.state.parameters.get(value.node) ?? []
  const length = Math.max(known.length, given.length)
  walk.state.parameters.set(
    value.node,
    Array.from({ length }, (_, index) => known[index] ?? given[index]),
  )
  return walk.state.returned.get(value.node)
}

/** Calls that name their operation by an argument: `call('search', …)`, `GET('/v1/…', …)`, `request({ path, method })`. */
function generalCall(walk: ValueWalk, node: CallNode, name: string, [first, second]: Values): TrackedValue | undefined {
  const { pair } = walk.state
  if (name === 'call' && first?.kind === 'text' && isOperation(first.text)) {
    return operationCall(walk, node, first.text, memberOf(second, 'body'), pair.body(first.text))
  }
  const path = first?.kind === 'text' && /^(GET|POST|PATCH|PUT|DELETE)$/.test(name) ? first.text : undefined
  const id = path?.startsWith('/v1/') ? operationOfPath(name, path) : undefined
  if (id) {
    const data = operationCall(walk, node, id, memberOf(second, 'body'), pair.body(id))
    return data && written(node, { data })
  }
  const [place, method] = [memberOf(first, 'path'), memberOf(first, 'method')]
  if (place?.kind !== 'text' || method?.kind !== 'text') return undefined
  const requested = operationOfPath(method.text, place.text)
  return requested && operationCall(walk, node, requested, memberOf(first, 'body'), pair.body(requested))
}

function operationCall(
  walk: ValueWalk,
  node: CallNode,
  id: OperationId,
  sent: TrackedValue | undefined,
  shape: DatedShape | undefined,
): TrackedValue | undefined {
  const call: OperationCall = { id, node }
  const place = isMember(node.callee) ? node.callee.property : node.callee
  const lost: [Node, readonly string[]][] = []
  const isWritten = checkSent(sent, shape, (at, subjects) => lost.push([at, subjects])) || node.arguments.length === 0
  walk.state.findings.called(walk.file.path, place, call, isWritten, !walk.unread.has(node))
  for (const [at, subjects] of lost) walk.lost(at, subjects, call)
  const received = walk.state.pair.received(id)
  return received && { kind: 'received', shape: received, call }
}

function memberOf(value: TrackedValue | undefined, name: string): TrackedValue | undefined {
  return value?.kind === 'object' ? value.members.get(name)?.value : undefined
}

/** An object with these values, as if the code had written it. */
function written(node: Node, values: Readonly<Record<string, TrackedValue>>): TrackedValue {
  return {
    kind: 'object',
    node,
    members: new Map(Object.entries(values).map(([name, value]) => [name, { key: node, value }])),
    spread: [],
  }
}

function isMember(node: Node): node is MemberNode {
  return node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression'
}
