import { FormulaFault } from './failures.ts'
import { parseReference, type PropertyReference } from './references.ts'

export type Token = {
  /** The UTF-16 offsets of its start and end; the end is exclusive. */
  readonly start: number
  readonly end: number
} & (
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'symbol'; readonly value: string }
  | { readonly kind: 'reference'; readonly value: PropertyReference }
  | { readonly kind: 'end' }
)

/** The form of an expression: as written by callers, or as stored, with references by id. */
export type ExpressionForm = 'written' | 'stored'

const SYMBOLS = ['===', '!==', '==', '!=', '>=', '<=', '&&', '||', ...'?:><+-*/%!^().,[]']
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t' }
const SPACE = /\s/u
const DIGIT = /[0-9]/
const NAME_START = /[\p{L}_$]/u
const NAME_PART = /[\p{L}\p{N}\p{M}_$]/u

/**
 * Splits an expression into tokens, the last of which is `end`. Spaces, line breaks, comments and a leading `=` are skipped.
 * @throws FormulaFault
 */
export function tokenize(text: string, form: ExpressionForm): Token[] {
  const tokens: Token[] = []
  let offset = 0
  for (;;) {
    offset = skipBlanks(text, offset)
    if (tokens.length === 0 && text[offset] === '=' && text[offset + 1] !== '=') offset = skipBlanks(text, offset + 1)
    if (offset >= text.length) return [...tokens, { kind: 'end', start: text.length, end: text.length }]
    const token = tokenAt(text, offset, form)
    tokens.push(token)
    offset = token.end
  }
}

function skipBlanks(text: string, from: number): number {
  let offset = from
  for (;;) {
    while (SPACE.test(text.charAt(offset))) offset++
    if (!text.startsWith('/*', offset)) return offset
    const end = text.indexOf('*/', offset + 2)
    if (end < 0) throw new FormulaFault('the comment is not closed', offset)
    offset = end + 2
  }
}

function tokenAt(text: string, start: number, form: ExpressionForm): Token {
  const first = String.fromCodePoint(text.codePointAt(start) ?? 0)
  if (first === '"') return textAt(text, start)
  if (DIGIT.test(first)) return numberAt(text, start)
  if (NAME_START.test(first)) return nameAt(text, start)
  if (form === 'stored' && text.startsWith('{{', start)) {
    const { reference, end } = parseReference(text, start)
    return { kind: 'reference', value: reference, start, end }
  }
  const symbol = SYMBOLS.find((candidate) => text.startsWith(candidate, start))
  if (symbol === undefined) throw new FormulaFault(`the character ${JSON.stringify(first)} has no meaning here`, start)
  return { kind: 'symbol', value: symbol, start, end: start + symbol.length }
}

function textAt(text: string, start: number): Token {
  const parts: string[] = []
  let offset = start + 1
  for (;;) {
    const from = offset
    while (offset < text.length && text[offset] !== '"' && text[offset] !== '\\') offset++
    parts.push(text.slice(from, offset))
    if (offset >= text.length) throw new FormulaFault('the text has no closing quote', start)
    if (text[offset] === '"') return { kind: 'text', value: parts.join(''), start, end: offset + 1 }
    const escaped = ESCAPES[text.charAt(offset + 1)]
    // Any other backslash is literal, because regular expressions contain many of them.
    parts.push(escaped ?? '\\')
    offset += escaped === undefined ? 1 : 2
  }
}

function numberAt(text: string, start: number): Token {
  let end = endOfDigits(text, start)
  if (text[end] === '.' && DIGIT.test(text.charAt(end + 1))) end = endOfDigits(text, end + 1)
  if (NAME_START.test(text.charAt(end))) throw new FormulaFault('a number must not be followed directly by a name', end)
  const value = Number(text.slice(start, end))
  if (!Number.isFinite(value)) throw new FormulaFault('the number is too large', start)
  return { kind: 'number', value, start, end }
}

function endOfDigits(text: string, from: number): number {
  let end = from
  while (DIGIT.test(text.charAt(end))) end++
  return end
}

function nameAt(text: string, start: number): Token {
  let end = start
  for (;;) {
    const code = text.codePointAt(end)
    if (code === undefined) break
    const character = String.fromCodePoint(code)
    if (!NAME_PART.test(character)) break
    end += character.length
  }
  return { kind: 'name', value: text.slice(start, end), start, end }
}
