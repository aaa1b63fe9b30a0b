import { countsOf } from './calls.ts'
import { functions } from './functions/index.ts'
import { specialForms } from './special_forms.ts'

/** Every function of the language except `prop`, with the number of arguments it accepts; `most` may be Infinity. */
export const functionCounts: ReadonlyMap<string, { readonly least: number; readonly most: number }> = new Map(
  [...specialForms, ...functions].map(([name, { parameters }]) => [name, countsOf(parameters)]),
)

/** The names of all functions of the language, `prop` included, sorted. */
export const functionNames: readonly string[] = ['prop', ...functionCounts.keys()].toSorted()
