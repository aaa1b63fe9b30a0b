/** Step 6: TypeScript types of the contract, by openapi-typescript. */

import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { isReference, walkObjects, type Document } from './document.ts'
import { banner } from './text.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/** `types.ts`: paths, operations, components, and every schema as a type of its own (`import type { Block } from …`). */
export async function typesModule(document: Document, purpose = 'Types of the contract.'): Promise<string> {
  const blob = ts.factory.createTypeReferenceNode('Blob')
  const anyJson = ts.factory.createTypeReferenceNode('AnyJson')
  const nodes = await openapiTS(JSON.stringify(forTypes(document)), {
    inject:
      '/** Any JSON value. */\nexport type AnyJson = string | number | boolean | null | AnyJson[] | { [key: string]: AnyJson };\n',
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    rootTypesKeepCasing: true,
    defaultNonNullable: false, // properties with a default may be omitted
    silent: true,
    transform: (schema, { path = '' }) => (schema.format === 'binary' ? blob : holdsItself(schema, path) ? anyJson : undefined),
  })
  return `${banner(purpose)}\n${astToString(withNamedSchemas(nodes))}`
}

/**
 * Declares each schema as a type of its own, to which everything else refers by name. openapi-typescript declares them as members of
 * `components`, and compilers print a type that was read from a member in full, in messages and hovers.
 */
function withNamedSchemas(nodes: readonly ts.Node[]): ts.Node[] {
  const declarations: ts.Node[] = []
  const named = nodes.map((node) => (isInterface(node, 'components') ? schemasApart(node, declarations) : node))
  const isReplaced = new Set(declarations.map((node) => (ts.isTypeAliasDeclaration(node) ? node.name.text : '')))
  const others = named.filter((node) => !(ts.isTypeAliasDeclaration(node) && isReplaced.has(node.name.text)))
  return [...others, ...declarations].map((node) => ts.transform(node, [referencesByName]).transformed[0] ?? node)
}

function isInterface(node: ts.Node, name: string): node is ts.InterfaceDeclaration {
  return ts.isInterfaceDeclaration(node) && node.name.text === name
}

/** The interface `components` with names for schemas. @param declarations receives the schemas */
function schemasApart(components: ts.InterfaceDeclaration, declarations: ts.Node[]): ts.Node {
  const members = components.members.map((member) => {
    if (keyOf(member) !== 'schemas' || !ts.isPropertySignature(member) || !member.type || !ts.isTypeLiteralNode(member.type))
      return member
    const schemas = member.type.members.map((schema) => {
      const name = keyOf(schema)
      if (name === undefined || !ts.isPropertySignature(schema) || !schema.type) return schema
      const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)]
      const declaration = ts.factory.createTypeAliasDeclaration(exported, name, undefined, schema.type)
      declarations.push(ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(schema)))
      const type = ts.factory.createTypeReferenceNode(name)
      return ts.factory.updatePropertySignature(schema, schema.modifiers, schema.name, schema.questionToken, type)
    })
    const type = ts.factory.createTypeLiteralNode(schemas)
    return ts.factory.updatePropertySignature(member, member.modifiers, member.name, member.questionToken, type)
  })
  const { modifiers, name, typeParameters, heritageClauses } = components
  return ts.factory.updateInterfaceDeclaration(components, modifiers, name, typeParameters, heritageClauses, members)
}

function keyOf({ name }: ts.TypeElement): string | undefined {
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined
}

/** `components["schemas"]["Block"]` -> `Block` */
function referencesByName(context: ts.TransformationContext): (node: ts.Node) => ts.Node {
  const visit = (node: ts.Node): ts.Node => {
    const name = ts.isIndexedAccessTypeNode(node) && textOf(node.objectType) === 'schemas' ? textOf(node) : undefined
    return name === undefined ? ts.visitEachChild(node, visit, context) : ts.factory.createTypeReferenceNode(name)
  }
  return visit
}

/** The key of an indexed access, if it is a constant. */
function textOf(node: ts.TypeNode): string | undefined {
  const key = ts.isIndexedAccessTypeNode(node) && ts.isLiteralTypeNode(node.indexType) ? node.indexType.literal : undefined
  return key && ts.isStringLiteral(key) ? key.text : undefined
}

/** Whether the union at `path` contains itself as the item of a list or map: TypeScript allows that in an alias, but not in a property. */
function holdsItself(schema: object, path: string): boolean {
  const variants: unknown[] = 'oneOf' in schema && Array.isArray(schema.oneOf) ? schema.oneOf : []
  return variants.some(
    (variant) =>
      isObject(variant) &&
      [variant['items'], variant['additionalProperties']].some((inner) => isReference(inner) && inner.$ref === path),
  )
}

/** Without examples, and without discriminators: every variant has its tag as a constant, which TypeScript narrows by itself. */
function forTypes(document: Document): Document {
  const copy = structuredClone(document)
  delete copy.components.examples
  walkObjects(copy.paths, withoutExamples)
  walkObjects(copy.webhooks, withoutExamples)
  walkObjects(copy.components, (object) => {
    withoutExamples(object)
    if (Array.isArray(object['oneOf'])) delete object['discriminator']
  })
  return copy
}

function withoutExamples(object: Record<string, unknown>): void {
  if ('schema' in object) {
    delete object['examples']
    delete object['example']
  }
}
