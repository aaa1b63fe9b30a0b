import { dateFunctions } from './date.ts'
import type { FunctionDefinition } from './definition.ts'
import { generalFunctions } from './general.ts'
import { listFunctions } from './list.ts'
import { numberFunctions } from './number.ts'
import { textFunctions } from './text.ts'

/** The functions whose arguments are evaluated first, by name. The others are in `special_forms.ts`. */
export const functions: ReadonlyMap<string, FunctionDefinition> = new Map(
  [generalFunctions, textFunctions, numberFunctions, dateFunctions, listFunctions]
    .flat()
    .map((definition) => [definition.name, definition]),
)
