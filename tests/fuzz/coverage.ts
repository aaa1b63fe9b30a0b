import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** Global name of the counters of instrumented code: runs of each branch since the last reset. */
const COUNTER = '__fuzzCounts'
const BRANCHES_MAX = 1 << 18
const counts = new Uint32Array(BRANCHES_MAX)
Reflect.set(globalThis, COUNTER, counts)

let branchCount = 0
const literals = new Set<string>()

/**
 * Instruments modules that are loaded from now on.
 * @param isWatched whether to instrument the file at a path
 */
export function watch(isWatched: (path: string) => boolean): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.startsWith('file:') || !isWatched(fileURLToPath(url)) || !loaded.source) return loaded
      const isCommonJs = loaded.format?.startsWith('commonjs') ?? false
      const source = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString()
      return { ...loaded, format: isCommonJs ? 'commonjs' : 'module', source: instrumented(source, url), shortCircuit: true }
    },
  })
}

/** Texts that instrumented code compares with, for mutations. */
export function literalsSeen(): string[] {
  return [...literals]
}

/** By branch, one bit for each range of run counts seen so far: 1, 2, 3, 4–7, 8–15, 16–31, 32–127, 128 and more. */
const seen = new Uint8Array(BRANCHES_MAX)

export function resetCounts(): void {
  counts.fill(0, 0, branchCount)
}

/** The features of the run since the last reset: each is a number for a branch and its approximate run count. */
export function featuresOfRun(): number[] {
  const features: number[] = []
  for (let branch = 0; branch < branchCount; branch += 1) {
    const count = counts[branch] ?? 0
    if (count > 0) features.push(branch * 8 + bucketOf(count))
  }
  return features
}

/** Whether the run had a feature that no earlier run had. Marks it as seen. */
export function hasNews(): boolean {
  let isNew = false
  for (let branch = 0; branch < branchCount; branch += 1) {
    const count = counts[branch] ?? 0
    if (count === 0) continue
    const bit = 1 << bucketOf(count)
    const known = seen[branch] ?? 0
    if ((known & bit) !== 0) continue
    seen[branch] = known | bit
    isNew = true
  }
  return isNew
}

/** Number of branches that ran at least once, and in total. */
export function coverage(): { readonly branches: number; readonly of: number } {
  return { branches: seen.subarray(0, branchCount).reduce((sum, bits) => sum + Math.min(bits, 1), 0), of: branchCount }
}

function bucketOf(count: number): number {
  if (count < 4) return count - 1
  if (count < 8) return 3
  if (count < 16) return 4
  if (count < 32) return 5
  return count < 128 ? 6 : 7
}

function instrumented(source: string, fileName: string): string {
  return ts.transpileModule(source, {
    fileName: fileName.endsWith('.ts') ? 'module.ts' : 'module.js',
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.Preserve,
      verbatimModuleSyntax: true,
      allowJs: true,
      removeComments: true,
    },
    transformers: { before: [(context) => (file) => counted(file, context)] },
  }).outputText
}

function counted(file: ts.SourceFile, context: ts.TransformationContext): ts.SourceFile {
  const { factory } = context
  const count = (): ts.Expression => {
    if (branchCount === BRANCHES_MAX) throw new Error('more branches than there is room for')
    const location = factory.createElementAccessExpression(factory.createIdentifier(COUNTER), branchCount++)
    return factory.createPostfixIncrement(location)
  }
  const counting = (): ts.Statement => factory.createExpressionStatement(count())
  const branch = (statement: ts.Statement | undefined): ts.Statement =>
    factory.createBlock([counting(), ...(statement ? [statement] : [])], true)
  const either = (value: ts.Expression): ts.Expression =>
    factory.createParenthesizedExpression(
      factory.createBinaryExpression(count(), ts.SyntaxKind.CommaToken, factory.createParenthesizedExpression(value)),
    )
  const bodies = new Set<ts.Node>()
  const visit = (original: ts.Node): ts.Node => {
    if (ts.isStringLiteralLike(original) && original.text.length <= 40) literals.add(original.text || ' ')
    if (ts.isImportDeclaration(original) || ts.isExportDeclaration(original)) return original
    if (ts.isFunctionLike(original) && 'body' in original && original.body) bodies.add(original.body)
    const node = ts.visitEachChild(original, visit, context)
    if (bodies.has(original)) {
      if (ts.isBlock(node)) return factory.updateBlock(node, [counting(), ...node.statements])
      if (ts.isExpression(node)) return either(node)
    }
    if (ts.isIfStatement(node))
      return factory.updateIfStatement(node, node.expression, branch(node.thenStatement), branch(node.elseStatement))
    if (ts.isConditionalExpression(node))
      return factory.updateConditionalExpression(
        node,
        node.condition,
        node.questionToken,
        either(node.whenTrue),
        node.colonToken,
        either(node.whenFalse),
      )
    if (ts.isBinaryExpression(node) && CHOOSING.has(node.operatorToken.kind))
      return factory.updateBinaryExpression(node, node.left, node.operatorToken, either(node.right))
    if (ts.isForStatement(node))
      return factory.updateForStatement(node, node.initializer, node.condition, node.incrementor, branch(node.statement))
    if (ts.isForOfStatement(node))
      return factory.updateForOfStatement(node, node.awaitModifier, node.initializer, node.expression, branch(node.statement))
    if (ts.isForInStatement(node))
      return factory.updateForInStatement(node, node.initializer, node.expression, branch(node.statement))
    if (ts.isWhileStatement(node)) return factory.updateWhileStatement(node, node.expression, branch(node.statement))
    if (ts.isDoStatement(node)) return factory.updateDoStatement(node, branch(node.statement), node.expression)
    if (ts.isCaseClause(node)) return factory.updateCaseClause(node, node.expression, [counting(), ...node.statements])
    if (ts.isDefaultClause(node)) return factory.updateDefaultClause(node, [counting(), ...node.statements])
    if (ts.isCatchClause(node))
      return factory.updateCatchClause(
        node,
        node.variableDeclaration,
        factory.updateBlock(node.block, [counting(), ...node.block.statements]),
      )
    return node
  }
  return ts.visitEachChild(file, visit, context)
}

const CHOOSING: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
])
