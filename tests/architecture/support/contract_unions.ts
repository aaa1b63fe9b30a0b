import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { sourceFiles, workspaces } from '../../../scripts/workspaces.ts'

/** Unions with fewer words are not lists that grow with the contract. */
const WORDS_MIN = 4
const MAY_MATTER = /^\s*default:|Partial<Record<|\[\w+ in [^\]]+\]\+?\?:/m

type Words = ReadonlySet<string>

/**
 * Locations in the server that ignore members of a contract union: a `switch` with a `default`, or a record that may lack keys, including
 * mapped types. For speed, it only checks files whose text contains one, and only the types there.
 * @returns each as the file, a colon, and the ignored members
 */
export function incompleteUnions(root: string): string[] {
  const files = sourceFiles(workspaces)
    .map((file) => join(root, file))
    .filter((file) => MAY_MATTER.test(readFileSync(file, 'utf8')))
  const generated = ['types.ts', 'error_codes.ts'].map((file) => join(root, 'generated', file))
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram([...files, ...generated], { ...options, allowJs: false, checkJs: false })
  const checker = program.getTypeChecker()
  const unions = generated.flatMap((file) => unionsOf(program.getSourceFile(file), checker))
  return files.flatMap((file) => {
    const found: string[] = []
    const visit = (node: ts.Node): void => {
      const location = passedOver(node, checker)
      if (location !== undefined && unions.some((union) => location.words.isSubsetOf(union)))
        found.push(`${relative(root, file)}: ${location.text}`)
      ts.forEachChild(node, visit)
    }
    const source = program.getSourceFile(file)
    if (source) visit(source)
    return found
  })
}

/** The words of every union of words, and the discriminators of other unions. */
function unionsOf(generated: ts.SourceFile | undefined, checker: ts.TypeChecker): Words[] {
  const aliases = generated?.statements.filter(ts.isTypeAliasDeclaration) ?? []
  return aliases.flatMap((alias) => {
    const type = checker.getTypeFromTypeNode(alias.type)
    const tag = type.isUnion() ? type.getProperty('type') : undefined
    const words = wordsOf(type) ?? (tag ? wordsOf(checker.getTypeOfSymbolAtLocation(tag, alias)) : undefined)
    return words === undefined || words.size < WORDS_MIN ? [] : [words]
  })
}

function passedOver(node: ts.Node, checker: ts.TypeChecker): { readonly text: string; readonly words: Words } | undefined {
  if (ts.isSwitchStatement(node)) {
    if (!node.caseBlock.clauses.some(ts.isDefaultClause)) return undefined
    return enough(`switch (${node.expression.getText()})`, wordsOf(checker.getTypeAtLocation(node.expression)))
  }
  if (ts.isMappedTypeNode(node)) {
    const keys = node.typeParameter.constraint
    const mayLack = node.questionToken !== undefined && node.questionToken.kind !== ts.SyntaxKind.MinusToken
    if (keys === undefined || !mayLack || !hasValues(node)) return undefined
    return enough(`[in ${keys.getText()}]?`, wordsOf(checker.getTypeFromTypeNode(keys)))
  }
  if (!ts.isTypeReferenceNode(node) || node.typeName.getText() !== 'Partial') return undefined
  const [record] = node.typeArguments ?? []
  const key =
    record && ts.isTypeReferenceNode(record) && record.typeName.getText() === 'Record' ? record.typeArguments?.[0] : undefined
  return key && enough(`Partial<Record<${key.getText()}`, wordsOf(checker.getTypeFromTypeNode(key)))
}

/** Whether the type declares values: a mapped type that only describes the arguments of other code cannot miss a member. */
function hasValues(mapped: ts.MappedTypeNode): boolean {
  const alias = ts.findAncestor(mapped, ts.isTypeAliasDeclaration)
  if (alias === undefined) return true
  if (alias.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return true
  const isNamed = (node: ts.Node): boolean =>
    (ts.isTypeReferenceNode(node) && node.typeName.getText() === alias.name.text) || ts.forEachChild(node, isNamed) === true
  const declares = (node: ts.Node): boolean => {
    const type = ts.isVariableDeclaration(node) || ts.isSatisfiesExpression(node) ? node.type : undefined
    return (type !== undefined && isNamed(type)) || ts.forEachChild(node, declares) === true
  }
  return declares(alias.getSourceFile())
}

function enough(text: string, words: Words | undefined): { readonly text: string; readonly words: Words } | undefined {
  return words !== undefined && words.size >= WORDS_MIN ? { text, words } : undefined
}

/** @returns undefined if the type allows anything except words, null and undefined */
function wordsOf(type: ts.Type): Words | undefined {
  const parts = (type.isUnion() ? type.types : [type]).filter(
    ({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)),
  )
  return parts.every((part) => part.isStringLiteral()) ? new Set(parts.map(({ value }) => value)) : undefined
}
