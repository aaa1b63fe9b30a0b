import type { Frame } from '../frame.ts'
import type { FormulaType, ValueKind } from '../types.ts'
import type { FormulaValue } from '../values.ts'

export interface Parameter {
  /** The accepted kinds of values; undefined for any. */
  readonly kinds: readonly ValueKind[] | undefined
  /** For lists: the kind of their elements; undefined for any. */
  readonly elements?: ValueKind
  readonly isOptional?: true
  /** Whether the parameter, which is the last one, may be repeated. */
  readonly repeats?: true
}

/** A function whose arguments are all evaluated before the call. */
export interface FunctionDefinition {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly result: FormulaType | ((types: readonly FormulaType[]) => FormulaType)
  /** Whether empty arguments are passed to `apply`; otherwise an empty argument makes the result empty. */
  readonly takesEmpty?: true
  /** Receives values of the declared kinds. NaN and infinite results become empty. */
  readonly apply: (values: readonly FormulaValue[], frame: Frame) => FormulaValue
}

/** Parameters by accepted kind. */
export const arg = {
  any: { kinds: undefined },
  text: { kinds: ['text'] },
  number: { kinds: ['number'] },
  date: { kinds: ['date'] },
  person: { kinds: ['person'] },
  page: { kinds: ['page'] },
  list: { kinds: ['list'] },
} satisfies Readonly<Record<string, Parameter>>

export function optional(parameter: Parameter): Parameter {
  return { ...parameter, isOptional: true }
}

export function repeated(parameter: Parameter): Parameter {
  return { ...parameter, repeats: true }
}

/** A function for which one empty argument makes the result empty. */
export function define(
  name: string,
  parameters: FunctionDefinition['parameters'],
  result: FunctionDefinition['result'],
  apply: FunctionDefinition['apply'],
): FunctionDefinition {
  return { name, parameters, result, apply }
}

/** The same function, but empty arguments are passed to `apply`. */
export function takingEmpty(definition: FunctionDefinition): FunctionDefinition {
  return { ...definition, takesEmpty: true }
}
