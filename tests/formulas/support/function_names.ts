import { countsOf } from '../../../server/domain/data/formulas/calls.ts'
import { functions } from '../../../server/domain/data/formulas/functions/index.ts'
import { specialForms } from '../../../server/domain/data/formulas/special_forms.ts'

/** Every function of the language except `prop`, with the number of arguments it accepts; `most` may be Infinity. */
export const functionCounts: ReadonlyMap<string, { readonly least: number; readonly most: number }> = new Map(
  [...specialForms, ...functions].map(([name, { parameters }]) => [name, countsOf(parameters)]),
)

/** The names of all functions of the language, `prop` included, sorted. */
export const functionNames: readonly string[] = ['prop', ...functionCounts.keys()].toSorted()
