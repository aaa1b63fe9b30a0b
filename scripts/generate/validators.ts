/** Validators of every request, compiled ahead of time: the code that Ajv generates from the contract, so that no start has to generate it again. */

import type { Ajv2020 } from 'ajv/dist/2020.js'
import { _ } from 'ajv'
import type { AnyValidateFunction } from 'ajv/dist/core.js'
import standalone from 'ajv/dist/standalone/index.js'
import { boundedCode } from '../../server/contract/bounded_code.ts'
import { parseContractDocument } from '../../server/contract/contract_document.ts'
import { EovAdapter, type CheckedOperation } from '../../server/contract/eov_adapter.ts'
import { shareSchemas } from '../../server/contract/share_schemas.ts'

const HEAD = '// Made from spec/ by `npm run generate`. Do not edit.\n'

/** The module `validators.js`. @param server the text of the server form of the contract */
export function validatorsModule(server: string, operations: readonly CheckedOperation[]): string {
  const document = parseContractDocument(server)
  shareSchemas(document)
  const adapter = new EovAdapter(document, { source: true, formats: _`formats` })
  // Whether an empty request is refused does not matter; it makes the validators compile.
  for (const operation of operations) adapter.errorsOf(operation, { path: {}, query: {}, body: {} }, {})
  const keys = operations.map((operation) => EovAdapter.keyOf(operation))
  const names = new Map<unknown, string>(Object.entries(document.components.schemas).map(([name, schema]) => [schema, name]))
  return `${HEAD}${factory('makeParameterValidators', adapter.parameters, keys, names)}\n${factory('makeBodyValidators', adapter.body, keys, names)}`
}

/** The module's types. */
export const validatorsTypes = `${HEAD}import type { ValidateFunction } from 'ajv'
import type { Collecting } from '../server/contract/collecting.ts'

/**
 * Makes the validators of one compiler of express-openapi-validator, by its keys.
 * @param formats as the compiler knows them
 * @param components schemas that errors refer to
 * @param collecting what collects the errors
 */
export type MakeValidators = (
  require: (module: string) => unknown,
  formats: Readonly<Record<string, unknown>>,
  components: Readonly<Record<string, object>>,
  collecting: Collecting,
) => Readonly<Record<string, ValidateFunction>>

export const makeParameterValidators: MakeValidators
export const makeBodyValidators: MakeValidators
`

/** A function that makes the validators of one compiler, by their keys. */
function factory(name: string, compiler: Ajv2020, keys: readonly string[], components: ComponentNames): string {
  const seen = new Set<SourceCode>()
  for (const key of keys) nameComponents(compiler.getSchema(key)?.source, components, seen)
  const code = standalone.default(compiler, Object.fromEntries(keys.map((key) => [key, key])))
  return `export function ${name}(require, formats, components, collecting) {\nconst exports = {}\n${boundedCode(code.replace(/^"use strict";/, ''))}\nreturn exports\n}\n`
}

type ComponentNames = ReadonlyMap<unknown, string>
type SourceCode = NonNullable<AnyValidateFunction['source']>

/** Makes the code refer to component schemas by name, as errors do, instead of holding copies of them. */
function nameComponents(source: SourceCode | undefined, components: ComponentNames, seen: Set<SourceCode>): void {
  if (source === undefined || seen.has(source)) return
  seen.add(source)
  const { schema, validate, wrapper } = source.scopeValues
  for (const { value } of schema ?? []) {
    const name = components.get(value?.ref)
    if (value && name !== undefined) value.code = _`components[${name}]`
  }
  for (const { value } of validate ?? []) nameComponents((value?.ref as AnyValidateFunction).source, components, seen)
  for (const { value } of wrapper ?? [])
    nameComponents((value?.ref as { validate?: AnyValidateFunction }).validate?.source, components, seen)
}
