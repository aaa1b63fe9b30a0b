/** The pages of objects: the members, or the variants of a union, where the object is used, and its examples. */

import { shownJson } from '../samples/json.ts'
import { schemaNameOf, walkObjects, type Document, type Schema } from '../../generate/document.ts'
import type { Schemas } from '../../generate/server/flatten.ts'
import { codeSpan, limitsOf, memberList, membersOf, typeText, type Member, type SchemaLinks } from './members.ts'
import { firstSentence, pageOnDemand, relativeLink, type SitePage } from './page.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

/** The names of the schemas and operations that refer to a schema. */
export interface Uses {
  readonly schemas: readonly string[]
  readonly operations: readonly string[]
}

export function objectPath(name: string): string {
  return `objects/${name}`
}

/** Links from the page `from` to the pages of schemas. */
export function schemaLinks(document: Document, from: string): SchemaLinks {
  return {
    schemas: document.components.schemas ?? {},
    linkTo: (name) => `${relativeLink(from, objectPath(name))}.md`,
  }
}

/** @param usesOfIt finds where the object is used; called when the page is requested */
export function objectPage(document: Document, name: string, schema: Schema, usesOfIt: () => Uses, example: unknown): SitePage {
  const path = objectPath(name)
  const summary = firstSentence(schema.description ?? name)
  return pageOnDemand({ path, kind: 'object', title: name, summary }, () => {
    const links = schemaLinks(document, path)
    const variants = variantsOf(links.schemas, schema)
    const members = variants === undefined ? membersOf(links.schemas, schema) : undefined
    const parts = [
      schema.description ?? '',
      variants === undefined
        ? members === undefined
          ? scalar(schema, links)
          : section('Members', memberBlock(members, links))
        : union(variants, links),
      example === undefined ? '' : section('Example', json(example)),
      usedBy(usesOfIt(), path),
    ]
    return {
      markdown: parts.filter((part) => part !== '').join('\n\n'),
      keywords: [...keywordsOf(schema, members), ...(variants ?? []).flatMap(({ schema: variant }) => keywordsOf(variant, []))],
    }
  })
}

/** A list of members in a container, which the site styles. */
export function memberBlock(members: readonly Member[], links: SchemaLinks): string {
  return members.length === 0 ? 'No members.' : `::: members\n\n${memberList(members, links)}\n:::`
}

export function section(title: string, text: string): string {
  return `## ${title}\n\n${text}`
}

export function json(value: unknown): string {
  return `\`\`\`json\n${shownJson(value)}\n\`\`\``
}

interface Variant {
  readonly name: string
  readonly schema: Schema
}

/** The named variants of a union of objects, including those of nested unions; undefined for any other schema. */
function variantsOf(schemas: Schemas, schema: Schema): Variant[] | undefined {
  const refs = (schema.oneOf ?? schema.anyOf)?.map((variant) => (typeof variant === 'object' ? variant.$ref : undefined))
  if (refs === undefined || schema.properties !== undefined) return undefined
  const variants = refs.flatMap((ref): (Variant | undefined)[] => {
    const name = ref === undefined ? undefined : schemaNameOf(ref)
    const target = name === undefined ? undefined : schemas[name]
    if (name === undefined || target === undefined) return [undefined]
    return variantsOf(schemas, target) ?? [{ name, schema: target }]
  })
  const all = variants.filter((variant) => variant !== undefined)
  return all.length === variants.length && all.every((variant) => membersOf(schemas, variant.schema)) ? all : undefined
}

function union(variants: readonly Variant[], links: SchemaLinks): string {
  const all = variants.map((variant) => ({ ...variant, members: membersOf(links.schemas, variant.schema) ?? [] }))
  const common = sharedBy(all.map(({ members }) => members))
  const rows = all.map(({ name, schema, members }) => {
    const own = members.filter((member) => !common.some((shared) => same(shared, member)))
    return `| [${name}](${links.linkTo(name)}) | ${own.map((member) => cell(member, links)).join('<br>')} | ${inCell(firstSentence(schema.description ?? ''))} |`
  })
  const table = ['| Object | Its own members | |', '|---|---|---|', ...rows].join('\n')
  return [
    section(`${all.length} variants`, `::: variants\n\n${table}\n\n:::`),
    common.length === 0 ? '' : section('Members of every variant', memberBlock(common, links)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function cell({ name, schema, required }: Member, links: SchemaLinks): string {
  return inCell(`\`${name}\`${required ? '' : '?'}: ${typeText(schema, links)}`)
}

/** Escapes a text for a table cell. */
export function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')
}

function sharedBy(lists: readonly (readonly Member[])[]): Member[] {
  const [first = [], ...rest] = lists
  return rest.length === 0 ? [] : first.filter((member) => rest.every((list) => list.some((other) => same(member, other))))
}

function same(one: Member, other: Member): boolean {
  return one.name === other.name && one.required === other.required && JSON.stringify(one.schema) === JSON.stringify(other.schema)
}

function scalar(schema: Schema, links: SchemaLinks): string {
  const values = schema.enum
  if (values !== undefined && values.length > 3)
    return section('Values', values.map((value) => `- ${codeSpan(JSON.stringify(value))}`).join('\n'))
  return section('Form', [typeText(schema, links), limitsOf(schema)].filter((part) => part !== '').join('\n\n'))
}

function usedBy({ schemas, operations }: Uses, path: string): string {
  if (schemas.length + operations.length === 0) return ''
  const links = [
    ...operations.map((name) => `[${name}](${relativeLink(path, `operations/${name}`)}.md)`),
    ...schemas.map((name) => `[${name}](${relativeLink(path, objectPath(name))}.md)`),
  ]
  return section('Used by', links.join(', '))
}

function keywordsOf(schema: Schema, members: readonly Member[] | undefined): string[] {
  const { type } = isObject(schema.properties) ? schema.properties : {}
  const constant = typeof type === 'object' && typeof type.const === 'string' ? [type.const] : []
  return [...constant, ...(members ?? []).map(({ name }) => name), ...(schema.enum ?? []).map(String)]
}

/** Finds the schemas and operations that refer directly to a schema. */
export function usesOf(document: Document): (name: string) => Uses {
  const uses = new Map<string, { schemas: Set<string>; operations: Set<string> }>()
  const note = (value: unknown, kind: 'schemas' | 'operations', user: string): void =>
    walkObjects(value, ({ $ref }) => {
      const name = typeof $ref === 'string' ? schemaNameOf($ref) : undefined
      if (name === undefined || name === user) return
      const found = uses.get(name) ?? { schemas: new Set(), operations: new Set() }
      found[kind].add(user)
      uses.set(name, found)
    })
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) note(schema, 'schemas', name)
  for (const item of Object.values(document.paths))
    walkObjects(item, (operation) => {
      if (typeof operation['operationId'] === 'string') note(operation, 'operations', operation['operationId'])
    })
  return (name) => {
    const { schemas = [], operations = [] } = uses.get(name) ?? {}
    return { schemas: [...schemas].sort(), operations: [...operations].sort() }
  }
}
