import { readFileSync } from 'node:fs'
import ts from 'typescript'

export interface RegularExpression {
  /** `file:line` */
  readonly location: string
  /** Undefined if it is known only at run time. */
  readonly source: string | undefined
  readonly flags: string
}

/** The literals of a module, and expressions that it builds from constants: `new RegExp(…)`. */
export function regularExpressionsIn(root: string, file: string): RegularExpression[] {
  const source = ts.createSourceFile(file, readFileSync(`${root}/${file}`, 'utf8'), ts.ScriptTarget.Latest, true)
  const constants = constantsOf(source)
  const found: RegularExpression[] = []
  const visit = (node: ts.Node): void => {
    const location = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      found.push({ location, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    } else if (isRegExpCall(node)) {
      const [pattern, flags] = node.arguments ?? []
      found.push({ location, source: pattern && textOf(pattern, constants), flags: (flags && textOf(flags, constants)) ?? '' })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function isRegExpCall(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp'
}

type Constants = ReadonlyMap<string, ts.Expression>

function constantsOf(source: ts.SourceFile): Constants {
  const declarations = source.statements.flatMap((statement) =>
    ts.isVariableStatement(statement) ? statement.declarationList.declarations : [],
  )
  return new Map(
    declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer ? [[name.text, initializer] as const] : [],
    ),
  )
}

/** The text of an expression of constants; undefined if it has any other part. */
function textOf(node: ts.Expression, constants: Constants): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isRegularExpressionLiteral(node)) return node.text.slice(1, node.text.lastIndexOf('/'))
  if (ts.isIdentifier(node)) {
    const value = constants.get(node.text)
    return value && textOf(value, constants)
  }
  const isRaw = ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw'
  const template = isRaw ? node.template : node
  if (ts.isNoSubstitutionTemplateLiteral(template)) return isRaw ? template.rawText : template.text
  return ts.isTemplateExpression(template) ? templateText(template, isRaw, constants) : undefined
}

function templateText({ head, templateSpans }: ts.TemplateExpression, isRaw: boolean, constants: Constants): string | undefined {
  const written = (part: ts.TemplateLiteralLikeNode): string => (isRaw ? part.rawText : undefined) ?? part.text
  const parts = templateSpans.flatMap(({ expression, literal }) => [textOf(expression, constants), written(literal)])
  return parts.includes(undefined) ? undefined : written(head) + parts.join('')
}
