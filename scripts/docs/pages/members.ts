/** Schemas as Markdown: the type of a value in a few words, and the members of an object as a list. */

import { flatten, type Schemas } from '../../generate/server/flatten.ts'
import { schemaNameOf, type Schema, type SchemaOrBoolean } from '../../generate/document.ts'

/** Links from a page to the pages of schemas. */
export interface SchemaLinks {
  readonly schemas: Schemas
  linkTo(schemaName: string): string
}

export interface Member {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
}

/** How many levels of unnamed objects are listed below their member. Deeper ones are rare, and only their type is shown. */
const INLINE_DEPTH_MAX = 4

/** The members of an object, including those of schemas it extends; undefined if the schema is not a plain object. */
export function membersOf(schemas: Schemas, schema: Schema): Member[] | undefined {
  const { properties, required = [] } = flattened(schemas, schema)
  if (properties === undefined) return undefined
  return Object.entries(properties)
    .filter((entry): entry is [string, Schema] => typeof entry[1] === 'object')
    .map(([name, member]) => ({ name, schema: member, required: required.includes(name) }))
}

function flattened(schemas: Schemas, schema: Schema): Schema {
  const flat = flatten(schemas, schema)
  if (flat.properties !== undefined || flat.$ref === undefined) return flat
  const name = schemaNameOf(flat.$ref)
  const target = name === undefined ? undefined : schemas[name]
  return target === undefined ? flat : flattened(schemas, target)
}

/** The type of a value on one line: `array of [Block](…)`, `"page"`, `string or null`. */
export function typeText(schema: SchemaOrBoolean, links: SchemaLinks): string {
  if (typeof schema === 'boolean') return schema ? 'anything' : 'nothing'
  const name = schema.$ref === undefined ? undefined : schemaNameOf(schema.$ref)
  if (name !== undefined) return `[${name}](${links.linkTo(name)})`
  if (schema.const !== undefined) return codeSpan(JSON.stringify(schema.const))
  if (schema.enum !== undefined) return schema.enum.map((value) => codeSpan(JSON.stringify(value))).join(' or ')
  const variants = schema.oneOf ?? schema.anyOf
  if (variants !== undefined) return [...new Set(variants.map((variant) => typeText(variant, links)))].join(' or ')
  const only = schema.allOf?.length === 1 && schema.properties === undefined ? schema.allOf[0] : undefined
  if (only !== undefined) return typeText(only, links)
  if (schema.type === 'array') return `array of ${typeText(schema.items ?? true, links)}`
  if (schema.type === 'object' && schema.properties === undefined && typeof schema.additionalProperties === 'object')
    return `object with values of ${typeText(schema.additionalProperties, links)}`
  return [schema.type ?? 'object'].flat().join(' or ') + (schema.format === undefined ? '' : ` (${schema.format})`)
}

/** The list of an object's members in the order of the contract. Members of unnamed objects are listed below their own member. */
export function memberList(members: readonly Member[], links: SchemaLinks, depth = 0): string {
  return members.map((member) => memberItem(member, links, depth)).join('\n')
}

function memberItem({ name, schema, required }: Member, links: SchemaLinks, depth: number): string {
  const type = typeText(schema, links)
  const head = `- **\`${name}\`** ${type}${required ? ' *required*' : ''}`
  const description = (schema.description ?? '').trim()
  const limits = limitsOf(schema)
  const inner = depth < INLINE_DEPTH_MAX ? innerMembers(links.schemas, schema) : undefined
  return [
    head,
    ...(description === '' ? [] : ['', ...indent(description)]),
    ...(limits === '' ? [] : ['', ...indent(limits)]),
    ...(inner === undefined ? [] : ['', ...indent(memberList(inner, links, depth + 1))]),
    '',
  ].join('\n')
}

/** The members of an unnamed object, or of the unnamed objects in a list. */
function innerMembers(schemas: Schemas, schema: Schema): Member[] | undefined {
  if (schema.$ref !== undefined) return undefined
  if (schema.type === 'array') return typeof schema.items === 'object' ? innerMembers(schemas, schema.items) : undefined
  const variants = (schema.oneOf ?? schema.anyOf ?? []).filter((variant) => typeof variant === 'object')
  const objects = variants.filter(({ properties, $ref }) => properties !== undefined && $ref === undefined)
  const [only] = objects
  if (objects.length === 1 && only !== undefined) return membersOf(schemas, only)
  return schema.properties === undefined ? undefined : membersOf(schemas, schema)
}

/** The limits, default and format of a schema in words. */
export function limitsOf(schema: Schema): string {
  const words = [
    range(schema['minLength'], schema['maxLength'], 'characters', 'character'),
    range(schema['minItems'], schema['maxItems'], 'entries', 'entry'),
    range(schema['minProperties'], schema['maxProperties'], 'keys', 'key'),
    range(schema['minimum'] ?? schema['exclusiveMinimum'], schema['maximum'] ?? schema['exclusiveMaximum'], ''),
    schema.default === undefined ? '' : `default ${codeSpan(JSON.stringify(schema.default))}`,
    typeof schema['pattern'] === 'string' ? `pattern ${codeSpan(schema['pattern'])}` : '',
    schema['readOnly'] === true ? 'read only' : '',
    schema['deprecated'] === true ? 'deprecated' : '',
  ].filter((text) => text !== '')
  return words.length === 0 ? '' : `*${upperFirst(words.join('; '))}.*`
}

function range(least: unknown, most: unknown, units: string, unit = units): string {
  const [low, high] = [least, most].map((bound) => (typeof bound === 'number' ? bound.toLocaleString('en') : undefined))
  const number =
    low !== undefined && high !== undefined
      ? `${low} to ${high}`
      : low !== undefined
        ? `at least ${low}`
        : high !== undefined
          ? `at most ${high}`
          : ''
  const word = (high ?? low) === '1' ? unit : units
  return number === '' || word === '' ? number : `${number} ${word}`
}

function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function indent(text: string): string[] {
  return text.split('\n').map((line) => (line === '' ? '' : `  ${line}`))
}

/** A text as a code span, even if it contains backticks. */
export function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`
}
