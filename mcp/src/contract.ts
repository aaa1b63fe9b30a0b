import type { ToolOperation } from './tool.ts'
import { operations } from '../../generated/operations.ts'

/** The contract as far as the descriptions of tools need it. */
export interface DescribedContract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaPart>>
    readonly parameters: Readonly<Record<string, ParameterPart>>
  }
}

interface SchemaPart {
  readonly $ref?: string
  readonly type?: unknown
  readonly description?: string
  readonly required?: readonly string[]
  readonly readOnly?: boolean
  readonly properties?: Readonly<Record<string, SchemaPart>>
  readonly oneOf?: readonly SchemaPart[]
  readonly allOf?: readonly SchemaPart[]
}

interface ParameterPart {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
}

interface OperationPart {
  readonly summary?: string
  readonly parameters?: readonly ParameterPart[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: SchemaPart }>> }
}

function operationPart(
  document: DescribedContract,
  id: ToolOperation,
): OperationPart & { readonly shared: readonly ParameterPart[] } {
  const { path, method } = operations[id]
  const item = document.paths[path] ?? {}
  return { ...(item[method] as OperationPart), shared: (item['parameters'] ?? []) as readonly ParameterPart[] }
}

export function summaryOf(document: DescribedContract, id: ToolOperation): string {
  return operationPart(document, id).summary ?? id
}

/** The path and query parameters, one a line. */
export function parameterLines(document: DescribedContract, id: ToolOperation): string {
  const { parameters = [], shared } = operationPart(document, id)
  return [...shared, ...parameters]
    .map((part) => (part.$ref === undefined ? part : document.components.parameters[nameIn(part.$ref)]))
    .flatMap((part) => (part && (part.in === 'path' || part.in === 'query') ? [part] : []))
    .map((part) => `${part.in}.${part.name}${part.required ? ' (required)' : ''}: ${firstSentence(part.description)}`)
    .join('\n')
}

/** The members of the request body, one a line; of each variant, if there are several. */
export function bodyLines(document: DescribedContract, id: ToolOperation): string {
  const schema = operationPart(document, id).requestBody?.content['application/json']?.schema
  return schema ? [...new Set(membersOf(document, schema, 0))].join('\n') : ''
}

/** The maximum depth of described schemas, which refer to each other. Deeper variants are in the reference. */
const LEVELS_MAX = 4

function membersOf(document: DescribedContract, schema: SchemaPart, level: number): string[] {
  if (level > LEVELS_MAX) return []
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[nameIn(schema.$ref)]
    return target ? membersOf(document, target, level + 1) : []
  }
  const own = Object.entries(schema.properties ?? {})
    .filter(([, member]) => member.readOnly !== true)
    .map(
      ([name, member]) => `body.${name}${schema.required?.includes(name) ? ' (required)' : ''}: ${sentenceOf(document, member)}`,
    )
  return [...own, ...[...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((part) => membersOf(document, part, level + 1))]
}

function sentenceOf(document: DescribedContract, schema: SchemaPart): string {
  const target = schema.$ref === undefined ? undefined : document.components.schemas[nameIn(schema.$ref)]
  return firstSentence(schema.description ?? target?.description)
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function firstSentence(text = ''): string {
  return text.replaceAll(/\s+/g, ' ').split(/(?<=\.) /, 1)[0] ?? ''
}
