import { LEVELS, type ChainOperator } from '../../../server/domain/data/formulas/syntax.ts'

/** An expression without source positions. */
export type Tree =
  | { readonly kind: 'literal'; readonly value: number | string | boolean }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly elements: readonly Tree[] }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Tree[]; readonly isDotCall: boolean }
  | { readonly kind: 'prefix'; readonly operator: '-' | 'not'; readonly operand: Tree }
  | {
      readonly kind: 'chain'
      readonly first: Tree
      readonly rest: readonly { readonly operator: ChainOperator; readonly operand: Tree }[]
    }
  | { readonly kind: 'power'; readonly base: Tree; readonly exponent: Tree }
  | {
      readonly kind: 'conditional'
      readonly branches: readonly { readonly condition: Tree; readonly value: Tree }[]
      readonly otherwise: Tree
    }
  | { readonly kind: 'property'; readonly page: Tree | undefined; readonly target: string }

const [PREFIX, POWER, POSTFIX] = [LEVELS.length + 1, LEVELS.length + 2, LEVELS.length + 3]

/** The precedence of an expression; 0 is the lowest. */
function tightness(tree: Tree): number {
  if (tree.kind === 'conditional') return 0
  if (tree.kind === 'chain') return 1 + LEVELS.findIndex((level) => level.some((operator) => operator === tree.rest[0]?.operator))
  if (tree.kind === 'prefix') return PREFIX
  return tree.kind === 'power' ? POWER : POSTFIX
}

/** Prints an expression with as few parentheses as its precedence allows. */
export function print(tree: Tree, blank = ' '): string {
  const part = (child: Tree, least: number) => (tightness(child) < least ? `(${print(child, blank)})` : print(child, blank))
  const parts = (children: readonly Tree[]) => children.map((child) => print(child, blank)).join(`,${blank}`)
  switch (tree.kind) {
    case 'literal':
      return typeof tree.value === 'string' ? quote(tree.value) : String(tree.value)
    case 'name':
      return tree.name
    case 'list':
      return `[${parts(tree.elements)}]`
    case 'call': {
      const [subject, ...others] = tree.arguments
      if (!tree.isDotCall || subject === undefined) return `${tree.name}(${parts(tree.arguments)})`
      return `${part(subject, POSTFIX)}.${tree.name}(${parts(others)})`
    }
    case 'prefix':
      return tree.operator === '-' ? `-${blank}${part(tree.operand, PREFIX)}` : `!${part(tree.operand, PREFIX)}`
    case 'chain': {
      const level = tightness(tree)
      const rest = tree.rest.map(({ operator, operand }) => `${blank} ${operator} ${blank}${part(operand, level + 1)}`)
      return part(tree.first, level + 1) + rest.join('')
    }
    case 'power':
      return `${part(tree.base, POSTFIX)}${blank}^${blank}${part(tree.exponent, PREFIX)}`
    case 'conditional': {
      const branches = tree.branches.map(({ condition, value }) => `${part(condition, 1)} ?${blank}${print(value, blank)} : `)
      return branches.join('') + part(tree.otherwise, 1)
    }
    case 'property':
      return `${tree.page === undefined ? '' : `${part(tree.page, POSTFIX)}.`}prop(${quote(tree.target)})`
  }
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`
}
