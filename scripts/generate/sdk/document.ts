/**
 * Step 8: the form for generators of clients in other languages. It accepts everything that the contract accepts, and often more: rules
 * remove, one after another, the parts that most languages cannot express. It is entirely generated.
 */

import { schemaNameOf, type Document } from '../document.ts'
import { withOuterSchemas } from './holders.ts'
import { escapeCommentEnds, everywhere, schemaRules, spelledFor30, spelledFor31, type SchemaRule } from './keywords.ts'
import { nameInlineEnums, nameInlineObjects, renameOwnNames, withoutUnused } from './names.ts'
import { headFor30, oneErrorShape, oneToken, shortHead, streamsAsText, webhooksApart, withoutExamples } from './operations.ts'
import { mergeUnions } from './unions.ts'

type DocumentRule = (document: Document) => Document

/**
 * The document in the form for generators, as OpenAPI 3.0.3, and as 3.1.0 for those that lose `nullable`.
 * @param errorSchema name of the schema of all errors
 */
export function sdkDocuments(document: Document, errorSchema = 'ErrorObject'): { for30: Document; for31: Document } {
  const rules: readonly DocumentRule[] = [
    shortHead,
    oneToken,
    withoutExamples,
    streamsAsText,
    oneErrorShape(errorSchema),
    ...schemaRules.map(inEverySchema),
    nameInlineObjects,
    mergeUnions,
    nameInlineObjects,
    nameInlineEnums,
    renameOwnNames,
    withoutUnused,
    escapeCommentEnds,
  ]
  const common = rules.reduce((whole, rule) => rule(whole), document)
  const schemas = common.components.schemas ?? {}
  const typeOf = (ref: string): string => [schemas[schemaNameOf(ref) ?? '']?.type].flat()[0] ?? 'object'
  return {
    for30: headFor30(webhooksApart(inEverySchema(spelledFor30(typeOf))(common))),
    for31: inEverySchema(spelledFor31)(common),
  }
}

function inEverySchema(rule: SchemaRule): DocumentRule {
  const change = everywhere(rule)
  return (document) => {
    const around = withOuterSchemas(document, change)
    const schemas = Object.entries(around.components.schemas ?? {}).map(([name, schema]) => [name, change(schema)])
    return { ...around, components: { ...around.components, schemas: Object.fromEntries(schemas) } }
  }
}
