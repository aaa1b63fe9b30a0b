import { requireNewComponent } from './contract_names.ts'
import type { FileDraft } from './file_draft.ts'
import type { Kind } from './kind.ts'
import { ModelCopy } from './model_copy.ts'
import { addModule, addTypeRows } from './property_type_code.ts'
import { UsageError } from './usage_error.ts'
import { pascalOf, spaced, sentence } from './words.ts'

/** The model: a type with every facet: a config, values, items, filters, groups and rollups. */
const MODEL = 'phone_number'
const COLUMN = 'Supplier phone'
const COLUMN_ID = 'phon'
const COLUMNS = 'server/bootstrap/sample/columns.json'
const FAMILY = 'spec/families/property_types'

/** `npm run new property-type tide_mark` */
export const propertyType: Kind = {
  parameters: ['type'],
  says: 'a type of property that is found, sorted, grouped and rolled up like a text, such as: tide_mark',
  callers: 'callers: a new type in responses breaks programs that know every property type',
  draft(draft, [type = '']) {
    requireNewType(draft, type)
    const id = newColumnId(draft, type)
    const copy = new ModelCopy(draft, [
      [pascalOf(MODEL), pascalOf(type)],
      ['ByPhoneAndBoat', `By${pascalOf(type)}AndBoat`],
      ['by_phone_and_boat', `by_${type}_and_boat`],
      [MODEL, type],
      [COLUMN, sentence(type)],
      [spaced(MODEL), spaced(type)],
      [new RegExp(`\\ba${COLUMN_ID.slice(1)}\\b`, 'g'), `a${id.slice(1)}`],
      [new RegExp(`\\b${COLUMN_ID}\\b`, 'g'), id],
    ])
    addToContract(copy, type)
    addModule(draft, type)
    addTypeRows(draft, type)
    return [
      'a type that has no filter, group or rollup has no schemas and entries for it in its file',
      'where what it is found by is new, the table in server/store/schema/databases.ts says so',
      'tests/operations/data_sources/ say what its filters and sorts mean',
    ]
  },
}

/** @throws UsageError if the type is malformed or in use */
function requireNewType(draft: FileDraft, type: string): void {
  if (!/^[a-z]+(?:_[a-z]+)*$/.test(type))
    throw new UsageError(`${type} is not a valid property type: property types are in snake_case, as in tide_mark.`)
  const file = `${FAMILY}/${type}.yaml`
  if (draft.has(file)) throw new UsageError(`${type} exists already: ${file}.`)
  for (const ending of ['Filter', 'GroupBy', 'PropertyConfig', 'PropertyItem', 'PropertyValue', 'RollupEntry'])
    requireNewComponent(draft, `${pascalOf(type)}${ending}`)
}

/**
 * The id of its column in examples: four letters that no other column has. With `a` as its first letter, it must not be the id of a rollup
 * either.
 */
function newColumnId(draft: FileDraft, type: string): string {
  const columns = draft.read(COLUMNS)
  const letters = type.replaceAll('_', '').padEnd(4, 'x')
  const ends = [letters.slice(1, 4), ...[...'0123456789'].map((digit) => letters.slice(1, 3) + digit)]
  const end = ends.find((one) => ![`${letters.charAt(0)}${one}`, `a${one}`].some((id) => columns.includes(`"${id}"`)))
  if (end === undefined) throw new UsageError(`All column ids are taken that begin like ${type}.`)
  return letters.charAt(0) + end
}

function addToContract(copy: ModelCopy, type: string): void {
  copy.copyMember(`${FAMILY}/${MODEL}.yaml`, type)
  copy.repeatLines(`${FAMILY}/family.yaml`, /^ +- /)
  copy.repeatLines(COLUMNS, new RegExp(`"${COLUMN_ID}"`))
}
