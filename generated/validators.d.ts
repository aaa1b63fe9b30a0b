// Made from spec/ by `npm run generate`. Do not edit.
import type { ValidateFunction } from 'ajv'

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
