import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** A name that a module declares and exports. */
export interface ExportedName {
  readonly name: string
  /** An interface or a type alias, which does not exist at run time. */
  readonly isType: boolean
}

/** The names that a module declares and exports. Re-exported names belong to the module that declares them. */
export function exportedNames(file: string): ExportedName[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const imported = new Set(source.statements.flatMap(importedNames))
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return listedNames(statement).filter(({ name }) => !imported.has(name))
    if (!isExported(statement)) return []
    return declaredNames(statement).map((name) => ({ name, isType: isTypeDeclaration(statement) }))
  })
}

function importedNames(statement: ts.Statement): string[] {
  const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined
  return bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : []
}

/** The names in `export { a, b }`. */
function listedNames({ exportClause, moduleSpecifier, isTypeOnly }: ts.ExportDeclaration): ExportedName[] {
  if (moduleSpecifier || !exportClause || !ts.isNamedExports(exportClause)) return []
  return exportClause.elements.map((element) => ({
    name: (element.propertyName ?? element.name).text,
    isType: isTypeOnly || element.isTypeOnly,
  }))
}

function isExported(statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement)) return false
  return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
}

function isTypeDeclaration(statement: ts.Statement): boolean {
  return ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name))
  const { name } = statement as ts.Statement & { readonly name?: ts.Node }
  return name && ts.isIdentifier(name) ? [name.text] : []
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : boundNames(element.name)))
}
