/** Compiled schemas of a contract, for its examples. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { formats } from '../../server/contract/formats.ts'
import { schemaNameOf, type Document, type Schema } from '../generate/document.ts'
import { isObject } from '../../server/kernel/is_object.ts'

const PREFIX = 'schema:/'

export class ExampleValidators {
  readonly #ajv: Ajv2020

  constructor({ components: { schemas = {} } }: Pick<Document, 'components'>) {
    this.#ajv = new Ajv2020({
      strict: false,
      validateSchema: false,
      inlineRefs: false,
      messages: false,
      code: { optimize: false },
    })
    addFormats.default(this.#ajv)
    for (const [name, { accepts }] of Object.entries(formats)) this.#ajv.addFormat(name, { type: 'string', validate: accepts })
    for (const [name, schema] of Object.entries(schemas))
      this.#ajv.addSchema(isObject(schema) ? withOwnReferences(schema) : schema, PREFIX + name)
  }

  /** @throws if the schema refers to a missing one */
  accepts(schema: Schema, value: unknown): boolean {
    const [root, ...others] = Object.keys(schema)
    const name = root === '$ref' && others.length === 0 && typeof schema.$ref === 'string' ? schemaNameOf(schema.$ref) : undefined
    const known = name === undefined ? undefined : this.#ajv.getSchema(PREFIX + name)
    return (known ?? this.#ajv.compile(withOwnReferences(schema)))(value) === true
  }
}

/** A copy whose references name the schemas as they were added. */
function withOwnReferences<T extends object>(schema: T): T {
  return JSON.parse(
    JSON.stringify(schema, (key, item: unknown) => {
      const name = key === '$ref' && typeof item === 'string' ? schemaNameOf(item) : undefined
      return name === undefined ? item : PREFIX + name
    }),
  ) as T // the same except for references
}
