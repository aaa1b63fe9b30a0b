import { functions } from './functions/index.ts'
import { specialForms } from './special_forms.ts'

/** The names of all functions of the language, `prop` included, sorted. */
export const functionNames: readonly string[] = ['prop', ...specialForms.keys(), ...functions.keys()].toSorted()
