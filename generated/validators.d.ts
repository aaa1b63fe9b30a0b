// Made from spec/ by `npm run generate`. Do not edit.
import type { ValidateFunction } from 'ajv'
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
