import { requireNewComponent } from './contract_names.ts'
import type { FileDraft } from './file_draft.ts'
import type { Kind } from './kind.ts'
import { Likeness } from './likeness.ts'
import { addModule, addPropertyTypeTests } from './property_type_code.ts'
import { UsageError } from './usage_error.ts'
import { pascalOf, spaced, sentence } from './words.ts'

/** A type that has every facet: a config, values, items, filters, groups and rollups. */
const MODEL = 'phone_number'
const COLUMN = 'Supplier phone'
const COLUMN_ID = 'phon'
const RESOURCES = 'spec/resources'
const FAMILY = 'spec/families/property_types'

/** `npm run new property-type tide_mark` */
export const propertyType: Kind = {
  parameters: ['type'],
  says: 'a type of property that is found, sorted, grouped and rolled up like a text, such as: tide_mark',
  callers: 'callers: a new type in responses breaks programs that know every property type',
  draft(draft, [type = '']) {
    requireNewType(draft, type)
    const id = newColumnId(draft, type)
    const likeness = new Likeness(draft, [
      [pascalOf(MODEL), pascalOf(type)],
      ['ByPhoneAndBoat', `By${pascalOf(type)}AndBoat`],
      ['by_phone_and_boat', `by_${type}_and_boat`],
      [MODEL, type],
      [COLUMN, sentence(type)],
      [spaced(MODEL), spaced(type)],
      [new RegExp(`\\ba${COLUMN_ID.slice(1)}\\b`, 'g'), `a${id.slice(1)}`],
      [new RegExp(`\\b${COLUMN_ID}\\b`, 'g'), id],
    ])
    addSchemas(draft, likeness, type)
    addExamples(draft, likeness, type)
    addModule(draft, type)
    addPropertyTypeTests(draft, type)
    return [
      'a type that has no filter, group or rollup has no schema for it in its file, nor a key in QuickFilterCondition',
      'where what it is found by is new, the table in server/store/schema/databases.ts says so',
      'tests/operations/data_sources/ say what its filters and sorts mean',
    ]
  },
}

/** @throws UsageError if it is no name of a type, or taken */
function requireNewType(draft: FileDraft, type: string): void {
  if (!/^[a-z]+(?:_[a-z]+)*$/.test(type))
    throw new UsageError(`${type} is not a valid property type: property types are in snake_case, as in tide_mark.`)
  const file = `${FAMILY}/${type}.yaml`
  if (draft.has(file)) throw new UsageError(`${type} exists already: ${file}.`)
  for (const ending of ['Filter', 'GroupBy', 'PropertyConfig', 'PropertyItem', 'PropertyValue', 'RollupEntry'])
    requireNewComponent(draft, `${pascalOf(type)}${ending}`)
}

/** The id of its column in examples: four letters that no other column has, nor, after an `a`, the rollup of one. */
function newColumnId(draft: FileDraft, type: string): string {
  const story = draft.read('spec/story.md')
  const letters = type.replaceAll('_', '').padEnd(4, 'x')
  const ends = [letters.slice(1, 4), ...[...'0123456789'].map((digit) => letters.slice(1, 3) + digit)]
  const end = ends.find((one) => ![`${letters.charAt(0)}${one}`, `a${one}`].some((id) => story.includes(`\`${id}\``)))
  if (end === undefined) throw new UsageError(`No id of a column is left that begins like ${type}.`)
  return letters.charAt(0) + end
}

function addSchemas(draft: FileDraft, likeness: Likeness, type: string): void {
  likeness.copyMember(`${FAMILY}/${MODEL}.yaml`, type)
  likeness.repeatLines(`${FAMILY}/family.yaml`, /^ {2}- /)
  likeness.repeatInUnions(`${RESOURCES}/views/schemas`)
  for (const folder of [FAMILY, `${RESOURCES}/data_sources/schemas`]) addToTables(draft, folder, type)
  const quick = `${RESOURCES}/views/schemas/QuickFilterCondition.yaml`
  likeness.repeatBlock(quick, new RegExp(`^  ${MODEL}:\n(?:    .*\n)+`, 'm'))
  likeness.repeatLines(quick, /^ {2}\w+: \{ ?properties: /)
}

/** Names the type beside the model in the tables of descriptions. */
function addToTables(draft: FileDraft, folder: string, type: string): void {
  const row = new RegExp(`^( *\\|.*\`${MODEL}\`)`, 'gm')
  for (const path of draft.files(folder, '.yaml').filter((file) => !draft.created.includes(file)))
    if (row.test(draft.read(path))) draft.change(path, (text) => text.replaceAll(row, `$1, \`${type}\``))
}

function addExamples(draft: FileDraft, likeness: Likeness, type: string): void {
  const ofColumn = new RegExp(`^ *(?:- \\{ ?property: )?${COLUMN}[,:] *\\S`)
  const examples = draft.files(RESOURCES, '.yaml').filter((path) => path.includes('/examples/'))
  for (const path of examples)
    if (
      draft
        .read(path)
        .split('\n')
        .some((line) => ofColumn.test(line))
    )
      likeness.repeatLines(path, ofColumn)
  for (const resource of ['data_sources', 'pages', 'views'])
    for (const path of likeness.filesOfModel(`${RESOURCES}/${resource}/examples`)) likeness.copyFile(path, type)
  for (const path of ['data_sources/paths/data_source_query', 'pages/paths/page_property', 'views/paths/view'])
    likeness.repeatLines(`${RESOURCES}/${path}.yaml`, /\{ ?\$ref: /)
  likeness.repeatBlock(
    `${RESOURCES}/pages/examples/RetrievePageMoreRollupArrays.yaml`,
    new RegExp(`^    All ${COLUMN}:\n(?:      .*\n)+`, 'm'),
  )
  likeness.repeatBlock(`${RESOURCES}/views/examples/RetrieveViewList.yaml`, new RegExp(`^    ${COLUMN_ID}:\n.*\n`, 'm'))
  for (const file of ['columns', 'rows'])
    likeness.repeatLines(`server/bootstrap/sample/${file}.json`, new RegExp(`"${COLUMN_ID}"`))
  draft.change('spec/story.md', (text) =>
    text.replace(` · ${COLUMN} ${MODEL} \`${COLUMN_ID}\``, (column) => column + likeness.renamed(column)),
  )
}
