import { FormulaFault } from './failures.ts'
import { NESTING_MAX } from './limits.ts'
import {
  LEVELS,
  SPELLINGS,
  type ChainExpression,
  type ChainOperator,
  type ConditionalExpression,
  type Expression,
} from './syntax.ts'
import { tokenize, type ExpressionForm, type Token } from './tokens.ts'

/**
 * Parses an expression.
 * @throws FormulaFault at an unexpected token
 */
export function parse(text: string, form: ExpressionForm): Expression {
  return new Parser(tokenize(text, form)).whole()
}

const WORD_OPERATORS = new Set(['and', 'or', 'not'])

class Parser {
  readonly #tokens: readonly Token[]
  #next = 0
  #nesting = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  whole(): Expression {
    const expression = this.#expression()
    if (this.#peek().kind !== 'end') throw unexpected(this.#peek())
    return expression
  }

  #expression(): Expression {
    return this.#nested(() => {
      const branches: ConditionalExpression['branches'][number][] = []
      let last = this.#chain(0)
      const { offset } = last
      while (this.#takes('?')) {
        const value = this.#expression()
        this.#expect(':')
        branches.push({ condition: last, value })
        last = this.#chain(0)
      }
      return branches.length === 0 ? last : { kind: 'conditional', branches, otherwise: last, offset }
    })
  }

  /** Parses the operators of one precedence level, whose operands are expressions of higher precedence. */
  #chain(level: number): Expression {
    const operators = LEVELS[level]
    if (operators === undefined) return this.#prefix()
    const first = this.#chain(level + 1)
    const rest: ChainExpression['rest'][number][] = []
    for (;;) {
      const { start: offset } = this.#peek()
      const operator = operators.find((candidate) => candidate === this.#operator())
      if (operator === undefined) return rest.length === 0 ? first : { kind: 'chain', first, rest, offset: first.offset }
      this.#next++
      rest.push({ operator, operand: this.#chain(level + 1), offset })
    }
  }

  #prefix(): Expression {
    const token = this.#peek()
    const operator = this.#operator()
    // A name before a parenthesis is always a call: `not(a)`.
    const isCall = token.kind === 'name' && isSymbol(this.#tokens[this.#next + 1], '(')
    if ((operator !== '-' && operator !== 'not') || isCall) return this.#power()
    this.#next++
    return this.#nested(() => ({ kind: 'prefix', operator, operand: this.#prefix(), offset: token.start }))
  }

  #power(): Expression {
    const base = this.#postfix()
    const offset = this.#peek().start
    if (!this.#takes('^')) return base
    return this.#nested(() => ({ kind: 'power', base, exponent: this.#prefix(), offset }))
  }

  #postfix(): Expression {
    let expression = this.#primary()
    let links = 0
    try {
      while (this.#takes('.')) {
        links++
        this.#enter()
        expression = this.#dotCall(expression)
      }
      return expression
    } finally {
      this.#nesting -= links
    }
  }

  #dotCall(subject: Expression): Expression {
    const token = this.#take()
    if (token.kind !== 'name') throw unexpected(token, 'the name of a function')
    if (token.value === 'prop') return this.#property(subject, token)
    return { kind: 'call', name: token.value, arguments: [subject, ...this.#bracketed('(', ')')], offset: token.start }
  }

  #primary(): Expression {
    const token = this.#peek()
    if (isSymbol(token, '[')) return { kind: 'list', elements: this.#bracketed('[', ']'), offset: token.start }
    if (this.#takes('(')) {
      const inner = this.#expression()
      this.#expect(')')
      return inner
    }
    this.#next++
    if (token.kind === 'number' || token.kind === 'text') return { kind: 'literal', value: token.value, offset: token.start }
    if (token.kind !== 'name') throw unexpected(token)
    return this.#named(token.value, token)
  }

  #named(name: string, token: Token): Expression {
    if (name === 'prop') return this.#property(undefined, token)
    if (isSymbol(this.#peek(), '(')) {
      return { kind: 'call', name, arguments: this.#bracketed('(', ')'), offset: token.start }
    }
    if (name === 'true' || name === 'false') return { kind: 'literal', value: name === 'true', offset: token.start }
    if (WORD_OPERATORS.has(name)) throw unexpected(token)
    return { kind: 'name', name, offset: token.start }
  }

  #property(page: Expression | undefined, word: Token): Expression {
    this.#expect('(')
    const token = this.#take()
    if (token.kind !== 'text' && token.kind !== 'reference') {
      throw new FormulaFault('`prop` takes the name of a property in double quotes', token.start)
    }
    this.#expect(')')
    return {
      kind: 'property',
      page,
      target: token.value,
      targetStart: token.start,
      targetEnd: token.end,
      offset: page === undefined ? token.start : word.start,
    }
  }

  #bracketed(open: string, close: string): Expression[] {
    this.#expect(open)
    const elements: Expression[] = []
    if (this.#takes(close)) return elements
    do elements.push(this.#expression())
    while (this.#takes(','))
    this.#expect(close)
    return elements
  }

  /** The operator at the current token, in its canonical spelling. */
  #operator(): ChainOperator | 'not' | undefined {
    const token = this.#peek()
    if (token.kind !== 'symbol' && token.kind !== 'name') return undefined
    const operator = token.kind === 'symbol' ? (SPELLINGS[token.value] ?? token.value) : token.value
    return isOperator(operator) ? operator : undefined
  }

  #nested<Result>(read: () => Result): Result {
    this.#enter()
    const result = read()
    this.#nesting--
    return result
  }

  #enter(): void {
    if (++this.#nesting > NESTING_MAX) {
      throw new FormulaFault(`the formula is nested more than ${NESTING_MAX} levels deep`, this.#peek().start)
    }
  }

  #peek(): Token {
    const token = this.#tokens[this.#next]
    if (token === undefined) throw new RangeError('read beyond the end of a formula')
    return token
  }

  #take(): Token {
    const token = this.#peek()
    if (token.kind !== 'end') this.#next++
    return token
  }

  #takes(symbol: string): boolean {
    if (!isSymbol(this.#peek(), symbol)) return false
    this.#next++
    return true
  }

  #expect(symbol: string): void {
    if (!this.#takes(symbol)) throw unexpected(this.#peek(), `\`${symbol}\``)
  }
}

const OPERATORS = new Set<string>([...LEVELS.flat(), 'not'])

function isOperator(text: string): text is ChainOperator | 'not' {
  return OPERATORS.has(text)
}

function isSymbol(token: Token | undefined, symbol: string): boolean {
  return token?.kind === 'symbol' && token.value === symbol
}

function unexpected(token: Token, wanted = 'a value'): FormulaFault {
  if (token.kind === 'end') return new FormulaFault(`${wanted} is missing at the end`, token.start)
  const shown = token.kind === 'reference' ? 'a reference' : `\`${String(token.value).slice(0, 40)}\``
  return new FormulaFault(`expected ${wanted} here, found ${shown}`, token.start)
}
