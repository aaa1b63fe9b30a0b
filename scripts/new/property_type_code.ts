/** The files of a property type in `server/` and `tests/`. */

import type { FileDraft } from './file_draft.ts'
import { addBefore } from './edits.ts'
import { Likeness } from './likeness.ts'
import { pascalOf } from './words.ts'

const INDEX = 'server/domain/property_types/index.ts'
const CELLS = 'archive/src/cell_texts.ts'

/** Drafts the module of a property type, and adds it to the index and to the cells of archives. */
export function addModule(draft: FileDraft, type: string): void {
  draft.create(`server/domain/property_types/${type}.ts`, moduleText(type))
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

/** The tables of tests that have a row for each type. */
const FORMS = 'server/store/stored/property_types.ts'
const TESTS = [
  'tests/harness/text_columns.ts',
  'tests/operations/data_sources/reference/rows_of_every_type.ts',
  'tests/operations/data_sources/queryDataSource.filters.test.ts',
  'tests/operations/databases/createDatabase.test.ts',
  'tests/operations/pages/createPage.rows.test.ts',
  'tests/operations/views/createView.groups.test.ts',
]

export function addPropertyTypeTests(draft: FileDraft, type: string): void {
  const likeness = new Likeness(draft, [
    ['phone_number', type],
    ['Phone', pascalOf(type)],
  ])
  for (const path of TESTS) likeness.repeatLines(path, /phone_number/)
  likeness.repeatLines(FORMS, /^ {2}phone_number: /)
  draft.change('tests/operations/data_sources/queryDataSource.filters.test.ts', (text) =>
    addBefore(text, `    ['${pascalOf(type)}', `, '    // TODO: say what else its filters find.\n'),
  )
}
