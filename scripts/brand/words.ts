/** Replaces the names of the project by those of a brand, wherever they occur. */

import { wordsOfValues } from './values.ts'
import { serverAddressOf, operationsOf, parametersOf, type Document } from '../generate/document.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/** The names of a brand. */
export interface Names {
  readonly name: string
  /** One capitalized word. */
  readonly word: string
  readonly package: string
  /** The prefix of the names of schemas. */
  readonly schemas: string
  /** Without a trailing slash. */
  readonly address: string
  readonly ids: Readonly<Record<string, string>>
}

/** The project's own names. Its address is not listed: it is read from `servers` in the contract. */
const PRODUCT = 'workspace service'
const PACKAGE = '@workspace-service/client'
const WORD = 'Service'
const CLIENT = 'WorkspaceClient'

type Rule = readonly [pattern: string, replacement: (found: string) => string]

export class BrandWords {
  readonly #names: Names
  readonly #schemas: ReadonlySet<string>
  readonly #nameRules: readonly Rule[]
  readonly #textRules: readonly Rule[]

  /** @param releases the contracts of the project, newest first */
  constructor(releases: readonly [Document, ...Document[]], names: Names) {
    const [contract] = releases
    this.#names = names
    this.#schemas = new Set(releases.flatMap(({ components }) => Object.keys(components.schemas ?? {})))
    const rules = [
      ...productRules(names),
      ...addressRules(serverAddressOf(contract), names.address),
      ...headerRules(contract, names),
      ...idRules(names),
      ...valueRules(contract, names),
    ]
    this.#nameRules = [...keptNames(names, rules), ...rules]
    this.#textRules = [...this.#nameRules, ...(names.schemas === '' ? [] : schemaRules(this.schemaName))]
  }

  /** Replaces names in prose and code, including those of schemas. */
  readonly text = (text: string): string => replaced(text, this.#textRules)

  /** Like `text`, for code that imports schemas under other names, so those are kept. */
  readonly names = (text: string): string => replaced(text, this.#nameRules)

  /** The name of a schema with the prefix of the brand. Any other word gives `otherwise`. */
  readonly schemaName = (name: string, otherwise: string = name): string =>
    this.#schemas.has(name) ? `${this.#names.schemas}${otherwise}` : otherwise

  /** A copy of a contract, or of a part or form of it. Keys are treated as code, except for the names of schemas where they are defined. */
  document<T>(document: T): T {
    return this.#value(document, []) as T // maps and lists stay maps and lists
  }

  #value(value: unknown, path: readonly string[]): unknown {
    if (typeof value === 'string')
      return path.some((key) => key.startsWith('x-')) ? this.schemaName(this.text(value)) : this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.#value(item, path))
    if (!isObject(value)) return value
    const definesSchemas = path.length === 2 && path[0] === 'components' && path[1] === 'schemas'
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const name = replaced(key, this.#nameRules)
        return [definesSchemas ? this.schemaName(key, name) : name, this.#value(item, [...path, key])]
      }),
    )
  }
}

/** Rules that protect new names which contain old ones. */
function keptNames({ name, package: packageName, address, ids }: Names, rules: readonly Rule[]): Rule[] {
  const names = [name, packageName, address, ...Object.values(ids)]
  return names.filter((text) => replaced(text, rules) !== text).map((text) => [literal(text), (found) => found])
}

function productRules({ name, word, package: packageName }: Names): Rule[] {
  const [kebab, snake] = [humpsOf(word).join('-'), humpsOf(word).join('_')]
  const camel = `${word.charAt(0).toLowerCase()}${word.slice(1)}`
  const [first = '', second = ''] = PRODUCT.split(' ')
  const either = (text: string): string => `[${text.charAt(0).toUpperCase()}${text.charAt(0)}]${text.slice(1)}`
  return [
    [literal(PACKAGE), () => packageName],
    // A comment may break the name over two lines, the second of which begins with an asterisk.
    [`(?:\\b[Tt]he[\\s*]+)?${either(first)}[\\s*]+${either(second)}`, () => name],
    [`${first}-${second}`, () => kebab],
    [`${first}_${second}`, () => snake],
    [`${first}${capitalized(second)}`, () => camel],
    [`${capitalized(first)}${capitalized(second)}`, () => word],
    [CLIENT, () => `${word}Client`],
  ]
}

function addressRules(first: string, address: string): Rule[] {
  return [
    [literal(first), () => address],
    [literal(new URL(first).host), () => new URL(address).host],
  ]
}

/** Rules for `Service-Version` and the like in each spelling of code, and for the word alone in quotes. */
function headerRules(contract: Document, { word }: Names): Rule[] {
  const headers = [...headersOf(contract)].filter((name) => name.includes(`${WORD}-`))
  const camel = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`
  const rules = headers.flatMap((header): Rule[] => {
    const rest = header.slice(header.indexOf(`${WORD}-`) + WORD.length + 1)
    const humps = rest.replaceAll('-', '')
    const lower = (separator: string): Rule => [
      `(?<![a-z])${WORD.toLowerCase()}${separator}${rest.toLowerCase().replaceAll('-', separator)}`,
      () => [...humpsOf(word), ...rest.toLowerCase().split('-')].join(separator),
    ]
    return [
      [`${WORD}${humps}(?![a-z])`, () => `${word}${humps}`],
      [`(?<![A-Za-z])${camel(WORD)}${humps}(?![a-z])`, () => `${camel(word)}${humps}`],
      lower('-'),
      lower('_'),
    ]
  })
  return [...rules, [`(?<![A-Za-z])${WORD}(?=-[A-Z\`…<*])`, () => word], [`(?<=['\`])${WORD}(?=['\`])`, () => word]]
}

/** The names of all headers of requests and responses. */
function headersOf(contract: Document): ReadonlySet<string> {
  const sent = [...operationsOf(contract), ...webhookOperations(contract)].flatMap((placed) =>
    parametersOf(contract, placed).map(({ name }) => name),
  )
  const responseHeaders = Object.values(contract.components.responses ?? {}).flatMap(({ headers = {} }) => Object.keys(headers))
  return new Set([...sent, ...responseHeaders])
}

function webhookOperations(contract: Document) {
  return operationsOf({ ...contract, paths: contract.webhooks ?? {} })
}

function idRules({ ids }: Names): Rule[] {
  return Object.entries(ids).map(([id, other]) => [
    `(?<![A-Za-z0-9])${literal(id)}${id.endsWith('_') ? '' : '(?![A-Za-z0-9_])'}`,
    () => other,
  ])
}

/** Rules for values that carry the maker's name, such as `service_ai`, in prose and code. */
function valueRules(contract: Document, { word }: Names): Rule[] {
  return [...wordsOfValues(contract, word)].map(([value, form]) => [
    `(?<![A-Za-z0-9_])${literal(value)}(?![A-Za-z0-9_])`,
    () => form,
  ])
}

/** Rules for the names of schemas. Names of one word are common in prose, so they are replaced only in code spans and addresses. */
function schemaRules(schemaName: (name: string) => string): Rule[] {
  const location = '(?:(?<=components/schemas/|objects/)|(?<![\\w/.@-]))'
  return [
    [`${location}[A-Z][A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*(?![\\w])`, schemaName],
    ['(?<=components/schemas/|objects/)[A-Z][a-z]+(?![\\w/])', schemaName],
    ['(?<=`)[A-Z][a-z]+(?=`)', schemaName],
  ]
}

const compiled = new WeakMap<readonly Rule[], RegExp>()

function replaced(text: string, rules: readonly Rule[]): string {
  let pattern = compiled.get(rules)
  if (pattern === undefined) compiled.set(rules, (pattern = new RegExp(rules.map(([source]) => `(${source})`).join('|'), 'g')))
  return text.replaceAll(pattern, (found: string, ...groups: unknown[]) => {
    const location = groups.findIndex((group) => typeof group === 'string')
    return rules[location]?.[1](found) ?? found
  })
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** `BlueHarbour` -> `['blue', 'harbour']` */
function humpsOf(word: string): string[] {
  return (word.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g) ?? [word]).map((hump) => hump.toLowerCase())
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
