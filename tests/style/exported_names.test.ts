import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Names that several modules export with one meaning. */
const SAME_MEANING: ReadonlyMap<string, RegExp> = new Map([
  // The same function for each test runner.
  ['useTestServer', /^server\/testing\/(?:jest|node|vitest)\.ts$/],
  // Each module of a release date exports its release.
  ['release', /^server\/versions\/\d{4}-\d\d-\d\d\.ts$/],
])

/** The names that a module declares and exports. What it passes on from another module is declared there. */
function exportedNames(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(resolve(root, file), 'utf8'), ts.ScriptTarget.Latest)
  const imported = new Set(source.statements.flatMap(importedNames))
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement
      if (moduleSpecifier || !exportClause || !ts.isNamedExports(exportClause)) return []
      return exportClause.elements.flatMap(({ name, propertyName }) =>
        imported.has((propertyName ?? name).text) ? [] : [name.text],
      )
    }
    if (!ts.canHaveModifiers(statement)) return []
    if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
    }
    const { name } = statement as ts.Statement & { readonly name?: ts.Node }
    return name && ts.isIdentifier(name) ? [name.text] : []
  })
}

function importedNames(statement: ts.Statement): string[] {
  const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined
  return bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : []
}

// If you are here because a name is listed: two modules export it. Where they mean the same, one of them should export it for both;
// otherwise give one of them a name that says what is special about it.
it('each exported name has one meaning in scripts/, server/, client/ and fakes/', () => {
  const files = globSync('{scripts,server,client/src,fakes}/**/*.ts', { cwd: root })
  const byName = new Map<string, Set<string>>()
  for (const file of files) {
    for (const name of exportedNames(file)) {
      if (!SAME_MEANING.get(name)?.test(file)) byName.set(name, (byName.get(name) ?? new Set()).add(file))
    }
  }
  expect(files.length).toBeGreaterThan(900)
  expect(
    [...byName].filter(([, places]) => places.size > 1).map(([name, places]) => `${name}: ${[...places].join(', ')}`),
  ).toEqual([])
})
