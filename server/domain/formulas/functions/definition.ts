import type { Frame } from '../frame.ts'
import type { FormulaType, ValueKind } from '../types.ts'
import type { FormulaValue } from '../values.ts'

export interface Parameter {
  /** Kinds that are taken; undefined: any. */
  readonly kinds: readonly ValueKind[] | undefined
  /** Of lists: the kind of their elements; undefined: any. */
  readonly elements?: ValueKind
  readonly isOptional?: true
  /** The last parameter may be given several times. */
  readonly repeats?: true
}

/** A function whose arguments are all evaluated before it is. */
export interface FunctionDefinition {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly result: FormulaType | ((types: readonly FormulaType[]) => FormulaType)
  /** Whether empty arguments reach `apply`; otherwise one of them makes the result empty. */
  readonly takesEmpty?: true
  /** Gets values of the declared kinds. NaN and infinities become empty afterwards. */
  readonly apply: (values: readonly FormulaValue[], frame: Frame) => FormulaValue
}

/** Parameters by what they take. */
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

/** The same function, but its `apply` gets empty arguments too. */
export function takingEmpty(definition: FunctionDefinition): FunctionDefinition {
  return { ...definition, takesEmpty: true }
}
