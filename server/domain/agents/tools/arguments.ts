import { Ajv, type ValidateFunction } from 'ajv'
import type { RunTool } from '../runtime.ts'

export type ParsedArguments<Arguments> = { readonly given: Arguments } | { readonly fault: string }

/** Compiles each schema when it is first used: most processes never run a tool, and compiling takes longer than validating. */
const ajv = new Ajv()

/** @returns a parser of arguments for a schema. If they are invalid, it describes the problem in a sentence without repeating them */
export function argumentParser<Arguments>(schema: object): (written: unknown) => ParsedArguments<Arguments> {
  return (written) => {
    const isGood = ajv.compile<Arguments>(schema)
    return isGood(written) ? { given: written } : { fault: faultOf(isGood) }
  }
}

/** The problem with the arguments of a call; undefined if they are valid. */
export function argumentFault({ parameters }: RunTool, written: unknown): string | undefined {
  const isGood = ajv.compile(parameters)
  return isGood(written) ? undefined : faultOf(isGood)
}

function faultOf({ errors }: ValidateFunction): string {
  // Regular expressions are hard to read; the description of the argument explains them.
  const said = errors?.map((error) =>
    error.keyword === 'pattern' ? { ...error, message: 'does not match the schema of the tool' } : error,
  )
  return `Wrong arguments: ${ajv.errorsText(said, { dataVar: 'arguments' })}.`
}
