/** The names of the first brand, wherever they stand, and those of another in their place. */

import { addressOf, isObject, operationsOf, parametersOf, type Document } from '../generate/document.ts'

/** What the other brand is called. */
export interface Names {
  readonly name: string
  /** One capitalised word. */
  readonly word: string
  readonly package: string
  /** What the names of schemas begin with. */
  readonly schemas: string
  /** Without a slash at the end. */
  readonly address: string
  readonly ids: Readonly<Record<string, string>>
}

/** The first brand: its product, the names of its client, the word of its headers. Its address is that of its contract. */
const PRODUCT = 'workspace service'
const PACKAGE = '@workspace-service/client'
const WORD = 'Service'
const CLIENT = 'WorkspaceClient'

type Rule = readonly [pattern: string, replacement: (found: string) => string]

export class Words {
  readonly #names: Names
  readonly #schemas: ReadonlySet<string>
  readonly #nameRules: readonly Rule[]
  readonly #textRules: readonly Rule[]

  /** @param releases the contracts of the first brand, newest first */
  constructor(releases: readonly [Document, ...Document[]], names: Names) {
    const [contract] = releases
    this.#names = names
    this.#schemas = new Set(releases.flatMap(({ components }) => Object.keys(components.schemas ?? {})))
    const rules = [
      ...productRules(names),
      ...addressRules(addressOf(contract), names.address),
      ...headerRules(contract, names),
      ...idRules(names),
    ]
    this.#nameRules = [...keptNames(names, rules), ...rules]
    this.#textRules = [...this.#nameRules, ...(names.schemas === '' ? [] : schemaRules(this.schemaName))]
  }

  /** Prose and code, with the names of schemas. */
  readonly text = (text: string): string => replaced(text, this.#textRules)

  /** Code that has schemas under names of its own. */
  readonly names = (text: string): string => replaced(text, this.#nameRules)

  /** A schema's name with the brand's prefix; another word as it is. */
  readonly schemaName = (name: string, otherwise: string = name): string =>
    this.#schemas.has(name) ? `${this.#names.schemas}${otherwise}` : otherwise

  /** The copy of a contract, or of a part or a form of it. Keys are names of code, so schemas are named only where they are defined. */
  document<T>(document: T): T {
    return this.#value(document, []) as T // maps and lists stay what they are
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

/** New names that hold old ones stay as they are. */
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
    // In a comment, the next line begins with an asterisk.
    [`(?:\\b[Tt]he[\\s*]+)?${either(first)}[\\s*]+${either(second)}`, () => name],
    [`${first}-${second}`, () => kebab],
    [`${first}_${second}`, () => snake],
    [`${first}${capitalised(second)}`, () => camel],
    [`${capitalised(first)}${capitalised(second)}`, () => word],
    [CLIENT, () => `${word}Client`],
  ]
}

function addressRules(first: string, address: string): Rule[] {
  return [
    [literal(first), () => address],
    [literal(new URL(first).host), () => new URL(address).host],
  ]
}

/** `Service-Version` in each way in which code writes it, and the word alone where it is quoted. */
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

/** Names of the headers of requests and answers. */
function headersOf(contract: Document): ReadonlySet<string> {
  const sent = [...operationsOf(contract), ...webhookOperations(contract)].flatMap((placed) =>
    parametersOf(contract, placed).map(({ name }) => name),
  )
  const answered = Object.values(contract.components.responses ?? {}).flatMap(({ headers = {} }) => Object.keys(headers))
  return new Set([...sent, ...answered])
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

/** Names of several words anywhere; of one word, which prose may use too, only as code and in addresses. */
function schemaRules(schemaName: (name: string) => string): Rule[] {
  const place = '(?:(?<=components/schemas/|objects/)|(?<![\\w/.@-]))'
  return [
    [`${place}[A-Z][A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*(?![\\w])`, schemaName],
    ['(?<=components/schemas/|objects/)[A-Z][a-z]+(?![\\w/])', schemaName],
    ['(?<=`)[A-Z][a-z]+(?=`)', schemaName],
  ]
}

const compiled = new WeakMap<readonly Rule[], RegExp>()

function replaced(text: string, rules: readonly Rule[]): string {
  let pattern = compiled.get(rules)
  if (pattern === undefined) compiled.set(rules, (pattern = new RegExp(rules.map(([source]) => `(${source})`).join('|'), 'g')))
  return text.replaceAll(pattern, (found: string, ...groups: unknown[]) => {
    const place = groups.findIndex((group) => typeof group === 'string')
    return rules[place]?.[1](found) ?? found
  })
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** `BlueHarbour` -> `['blue', 'harbour']` */
function humpsOf(word: string): string[] {
  return (word.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g) ?? [word]).map((hump) => hump.toLowerCase())
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
