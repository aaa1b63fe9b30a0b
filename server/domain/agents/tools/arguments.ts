import { Ajv, type ValidateFunction } from 'ajv'
import type { RunTool } from '../runtime.ts'

export type ParsedArguments<Arguments> = { readonly given: Arguments } | { readonly fault: string }

const ajv = new Ajv()
const compiled = new WeakMap<object, ValidateFunction>()

/** @returns what reads arguments of a schema, or says in a sentence what is wrong with them, without repeating them */
export function argumentParser<Arguments>(schema: object): (written: unknown) => ParsedArguments<Arguments> {
  const isGood = ajv.compile<Arguments>(schema)
  compiled.set(schema, isGood)
  return (written) => (isGood(written) ? { given: written } : { fault: faultOf(isGood) })
}

/** What is wrong with the arguments of a call; undefined when nothing is. */
export function argumentFault({ parameters }: RunTool, written: unknown): string | undefined {
  const isGood = compiled.get(parameters) ?? ajv.compile(parameters)
  compiled.set(parameters, isGood)
  return isGood(written) ? undefined : faultOf(isGood)
}

function faultOf({ errors }: ValidateFunction): string {
  // A pattern is nothing to read: what it means stands in the description.
  const said = errors?.map((error) => (error.keyword === 'pattern' ? { ...error, message: 'is not as described' } : error))
  return `Wrong arguments: ${ajv.errorsText(said, { dataVar: 'arguments' })}.`
}
