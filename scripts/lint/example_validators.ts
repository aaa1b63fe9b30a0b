/** Compiled schemas of a contract, for its examples. After a change, only what the change can affect is compiled again. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { formats } from '../../server/contract/formats.ts'
import { referencesIn } from '../generate/changed.ts'
import { schemaNameOf, type Document, type Schema } from '../generate/document.ts'
import { isObject } from '../../server/kernel/is_object.ts'

const PREFIX = 'schema:/'

export class ExampleValidators {
  readonly #ajv: Ajv2020
  #schemas: Readonly<Record<string, Schema>> = {}
  /** component -> components that have referred to it */
  readonly #users = new Map<string, Set<string>>()

  constructor() {
    this.#ajv = new Ajv2020({ strict: false, validateSchema: false, inlineRefs: false, code: { optimize: false } })
    addFormats.default(this.#ajv)
    for (const [name, { accepts }] of Object.entries(formats)) this.#ajv.addFormat(name, { type: 'string', validate: accepts })
  }

  /** Takes the schemas of a contract; those that are the same objects stay compiled. */
  use({ components: { schemas = {} } }: Pick<Document, 'components'>): void {
    const changed = new Set(Object.keys({ ...this.#schemas, ...schemas }).filter((name) => this.#schemas[name] !== schemas[name]))
    for (const name of changed)
      for (const target of namesIn(schemas[name])) this.#users.set(target, (this.#users.get(target) ?? new Set()).add(name))
    // Iterating over a set includes items added meanwhile.
    for (const name of changed) for (const user of this.#users.get(name) ?? []) changed.add(user)
    for (const name of changed) {
      this.#ajv.removeSchema(PREFIX + name)
      const schema = schemas[name]
      if (schema !== undefined) this.#ajv.addSchema(isObject(schema) ? withOwnReferences(schema) : schema, PREFIX + name)
    }
    this.#schemas = schemas
  }

  /** @throws if the schema leads to one that there is not */
  accepts(schema: Schema, value: unknown): boolean {
    const [root, ...others] = Object.keys(schema)
    const name = root === '$ref' && others.length === 0 && typeof schema.$ref === 'string' ? schemaNameOf(schema.$ref) : undefined
    const known = name === undefined ? undefined : this.#ajv.getSchema(PREFIX + name)
    return (known ?? this.#ajv.compile(withOwnReferences(schema)))(value) === true
  }
}

const namesIn = (schema: unknown): string[] => [...referencesIn(schema)].map((place) => place.replace('schemas/', ''))

/** A copy whose references name the schemas as they were added. */
function withOwnReferences<T extends object>(schema: T): T {
  return JSON.parse(
    JSON.stringify(schema, (key, item: unknown) => {
      const name = key === '$ref' && typeof item === 'string' ? schemaNameOf(item) : undefined
      return name === undefined ? item : PREFIX + name
    }),
  ) as T // but for references, the same
}
