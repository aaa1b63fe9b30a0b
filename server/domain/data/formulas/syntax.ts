import type { PropertyReference } from './references.ts'

interface At {
  /** The UTF-16 offset that errors about this part report. */
  readonly offset: number
}

/** The syntax tree of an expression, before names and types are resolved. */
export type Expression =
  | LiteralExpression
  | NameExpression
  | ListExpression
  | CallExpression
  | PrefixExpression
  | ChainExpression
  | PowerExpression
  | ConditionalExpression
  | PropertyExpression

interface LiteralExpression extends At {
  readonly kind: 'literal'
  readonly value: number | string | boolean
}

export interface NameExpression extends At {
  readonly kind: 'name'
  readonly name: string
}

interface ListExpression extends At {
  readonly kind: 'list'
  readonly elements: readonly Expression[]
}

/** `f(a, b)`, and `a.f(b)`, which means the same. */
export interface CallExpression extends At {
  readonly kind: 'call'
  readonly name: string
  readonly arguments: readonly Expression[]
}

export interface PrefixExpression extends At {
  readonly kind: 'prefix'
  readonly operator: '-' | 'not'
  readonly operand: Expression
}

/** Left-associative operators of one precedence level, such as `a + b - c`. The list is flat, so that long chains do not nest deeply. */
export interface ChainExpression extends At {
  readonly kind: 'chain'
  readonly first: Expression
  readonly rest: readonly { readonly operator: ChainOperator; readonly operand: Expression; readonly offset: number }[]
}

export type ChainOperator = 'or' | 'and' | '==' | '!=' | '>' | '>=' | '<' | '<=' | '+' | '-' | '*' | '/' | '%'

export interface PowerExpression extends At {
  readonly kind: 'power'
  readonly base: Expression
  readonly exponent: Expression
}

/** `c ? a : d ? b : e`, as a flat list. */
export interface ConditionalExpression extends At {
  readonly kind: 'conditional'
  readonly branches: readonly { readonly condition: Expression; readonly value: Expression }[]
  readonly otherwise: Expression
}

/** `prop("Name")`, or `page.prop("Name")` when `page` is given. */
export interface PropertyExpression extends At {
  readonly kind: 'property'
  readonly page: Expression | undefined
  /** The name or id as written, or the reference of a stored expression. */
  readonly target: string | PropertyReference
  /** The position of the target, which the stored form replaces. */
  readonly targetStart: number
  readonly targetEnd: number
}

/** The operators of chains, by increasing precedence. */
export const LEVELS: readonly (readonly ChainOperator[])[] = [
  ['or'],
  ['and'],
  ['==', '!='],
  ['>', '>=', '<', '<='],
  ['+', '-'],
  ['*', '/', '%'],
]

/** Other spellings of operators. */
export const SPELLINGS: Readonly<Record<string, string>> = { '||': 'or', '&&': 'and', '===': '==', '!==': '!=', '!': 'not' }
