/** The files of a property type in `server/` and `tests/`. */

import type { FileDraft } from './file_draft.ts'
import { addBefore } from './edits.ts'
import { ModelCopy } from './model_copy.ts'
import { pascalOf } from './words.ts'

const INDEX = 'server/domain/data/property_types/index.ts'
const CELLS = 'archive/src/cell_texts.ts'

/** Drafts the module of a property type, and adds it to the index and to the cells of archives. */
export function addModule(draft: FileDraft, type: string): void {
  draft.create(`server/domain/data/property_types/${type}.ts`, moduleText(type))
  draft.change(INDEX, (text) => {
    const imported = addBefore(text, 'import { created_time', `import { ${type} } from './${type}.ts'\n`)
    return addBefore(imported, '  number,\n', `  ${type},\n`)
  })
  draft.change(CELLS, (text) => addBefore(text, '  relation: {\n', `  ${type}: plain,\n`))
}

function moduleText(type: string): string {
  return `import { TEXT } from '../formulas/types.ts'
import { BY_PLAIN_VALUE, COLUMN_ONLY, WITHOUT_SETTINGS, WRITABLE } from './common.ts'
import type { PropertyFacets } from './property_facets.ts'
import { textKey } from './text_keys.ts'
import { textFilter } from './texts.ts'

const toPlain = (payload: string | null): string => payload ?? ''

/** TODO: say what is special about it. */
export const ${type}: PropertyFacets<'${type}'> = {
  // TODO: choose each facet: property_facets.ts says what it is for, and what a type lacks is 'none'.
  config: WITHOUT_SETTINGS,
  value: {
    ...WRITABLE,
    write: (written: string | null) => written ?? undefined,
    present: (stored: string | undefined) => stored ?? null,
    keys: (stored: string) => [textKey(stored)],
  },
  conversion: {
    toText: String,
    fromText: { of: 'any type', parse: (text) => (text === '' ? undefined : [...text].slice(0, 200).join('')) },
    lookups: 'none',
  },
  filter: textFilter(({ values }, id) => (values[id] ?? '') as string),
  sort: ({ id }) => ({ kind: 'texts', propertyId: id }),
  formula: { type: TEXT, value: toPlain, describe: 'none' },
  rollup: { ...BY_PLAIN_VALUE, source: 'none', toPlain, condition: 'rich_text' },
  view: { ...COLUMN_ONLY, group: '${type}' },
  items: 'whole',
}
`
}

const FORMS = 'server/store/stored/property_types.ts'
const TESTS = 'tests/harness/text_types.ts'

/** Adds the forms of its stored values, and its row in the table of tests. */
export function addTypeRows(draft: FileDraft, type: string): void {
  new ModelCopy(draft, [['phone_number', type]]).repeatLines(FORMS, /^ {2}phone_number: /)
  const row = `  // TODO: choose a value.\n  { type: '${type}', column: '${pascalOf(type)}', value: '+49 30 2' },\n`
  draft.change(TESTS, (text) => text.replace(/(?<=\n {2}\{ type: 'phone_number'.*\n)/, row))
}
