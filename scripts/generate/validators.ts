/**
 * Validators of every request, compiled ahead of time: the code that Ajv generates from the contract, so that a start need not generate it.
 */

import type { Ajv2020 } from 'ajv/dist/2020.js'
import { _ } from 'ajv'
import type { AnyValidateFunction } from 'ajv/dist/core.js'
import standalone from 'ajv/dist/standalone/index.js'
import { parseContractDocument } from '../../server/contract/contract_document.ts'
import { compilersOf, type CheckedOperation } from '../../server/contract/request_validators.ts'
import { shareSchemas } from '../../server/contract/share_schemas.ts'

const HEAD = '// Made from spec/ by `npm run generate`. Do not edit.\n'

/** The module `validators.js`. @param server the text of the server form of the contract */
export function validatorsModule(server: string, operations: readonly CheckedOperation[]): string {
  const document = parseContractDocument(server)
  shareSchemas(document)
  const { parameters, body } = compilersOf(document, { source: true, formats: _`formats` })
  const ids = operations.map(({ id }) => id)
  const names = new Map<unknown, string>(Object.entries(document.components.schemas).map(([name, schema]) => [schema, name]))
  return `${HEAD}${factory('makeParameterValidators', parameters, ids, names)}\n${factory('makeBodyValidators', body, ids, names)}`
}

/** The module's types. */
export const validatorsTypes = `${HEAD}import type { ValidateFunction } from 'ajv'

/**
 * Makes the validators of one compiler, by operation id.
 * @param formats as the compiler knows them
 * @param components schemas that errors refer to
 */
export type MakeValidators = (
  require: (module: string) => unknown,
  formats: Readonly<Record<string, unknown>>,
  components: Readonly<Record<string, object>>,
) => Readonly<Record<string, ValidateFunction>>

export const makeParameterValidators: MakeValidators
export const makeBodyValidators: MakeValidators
`

/** A function that makes the validators of one compiler, by operation id. */
function factory(name: string, compiler: Ajv2020, ids: readonly string[], components: ComponentNames): string {
  const seen = new Set<SourceCode>()
  const validated = ids.filter((id) => compiler.getSchema(id) !== undefined)
  for (const id of validated) nameComponents(compiler.getSchema(id)?.source, components, seen)
  const code = standalone.default(compiler, Object.fromEntries(validated.map((id) => [id, id])))
  return `export function ${name}(require, formats, components) {\nconst exports = {}\n${code.replace(/^"use strict";/, '')}\nreturn exports\n}\n`
}

type ComponentNames = ReadonlyMap<unknown, string>
type SourceCode = NonNullable<AnyValidateFunction['source']>

/** Makes the code refer to component schemas by name, as errors do, instead of containing copies of them. */
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
