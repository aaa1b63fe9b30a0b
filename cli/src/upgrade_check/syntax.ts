import type { Node } from '@babel/types'

export type MemberNode = Extract<Node, { type: 'MemberExpression' | 'OptionalMemberExpression' }>

/** The name of a property; undefined if the program computes it. */
export function propertyKey(node: Node, isComputed: boolean): string | undefined {
  if (node.type === 'StringLiteral') return node.value
  return node.type === 'Identifier' && !isComputed ? node.name : undefined
}

/** `this.service.pages.create` as names. Other expressions are `…`. */
export function nameChain(node: Node): readonly string[] {
  if (node.type === 'Identifier') return [node.name]
  if (node.type === 'ThisExpression') return ['this']
  if (node.type === 'TSNonNullExpression' || node.type === 'ParenthesizedExpression') return nameChain(node.expression)
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return ['…']
  const { property } = node
  const name = property.type === 'PrivateName' ? `#${property.id.name}` : (propertyKey(property, node.computed) ?? '…')
  return [...nameChain(node.object), name]
}

/** The child nodes of a node. */
export function innerNodes(node: Node): Node[] {
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    key.endsWith('Comments') || key === 'loc' ? [] : (Array.isArray(value) ? value : [value]).filter(isNode),
  )
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'loc' in value
}
