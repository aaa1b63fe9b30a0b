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
  return `${banner(purpose)}\n${astToString(nodes)}`
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
