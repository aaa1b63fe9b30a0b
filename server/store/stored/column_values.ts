import { keyKinds, valueForms } from './property_types.ts'
import { numberForm, where, type Form, type Mismatch } from './form.ts'

/** The parts of a column of a data source on which the form of its values depends. */
export interface ValueColumn {
  readonly id: string
  readonly type: string
  readonly options?: readonly { readonly id: string }[]
  readonly dataSourceId?: string
  /** The former type of a computed column, whose rows keep their former values. */
  readonly hidden?: ValueColumn
}

/** A row to which a value refers. */
export interface NamedRow {
  readonly table: 'custom_emojis' | 'data_sources' | 'file_uploads' | 'member_groups' | 'pages' | 'users'
  readonly id: string
  /** The path in the value, for example `[0].id`. */
  readonly path: string
}

const COMPUTED: ReadonlySet<string> = new Set([
  'formula',
  'rollup',
  'created_time',
  'created_by',
  'last_edited_time',
  'last_edited_by',
])
/** Earlier releases left numbers in columns of unique ids that became computed columns. */
const formerNumber = numberForm
const noValue = where('no value, because the column is computed', () => false)

export function valueFormOf({ type, hidden }: ValueColumn): Form {
  if (valueForms[type]) return valueForms[type]
  if (hidden) return valueFormOf(hidden)
  return COMPUTED.has(type) ? formerNumber : noValue
}

interface Person {
  readonly object: string
  readonly id: string
}

/**
 * The rows to which a valid value refers, except files, which are searched for in all content. Options are not included, because values
 * keep removed options.
 */
export function namedRows({ type, hidden }: ValueColumn, value: unknown): readonly NamedRow[] {
  switch (type) {
    case 'people':
      return (value as readonly Person[]).map(({ object, id }, index) => {
        return { table: object === 'group' ? 'member_groups' : 'users', id, path: `[${index}].id` }
      })
    case 'relation':
      // Pages stay linked even if they leave the data source.
      return (value as { readonly ids: readonly string[] }).ids.map((id, index) => ({
        table: 'pages',
        id,
        path: `.ids[${index}]`,
      }))
    case 'verification':
      return [{ table: 'users', id: (value as { readonly verifiedBy: string }).verifiedBy, path: '.verifiedBy' }]
    default:
      return hidden && valueForms[type] === undefined ? namedRows(hidden, value) : []
  }
}

export interface CellKeys {
  readonly number_key: number | null
  readonly text_key: string | null
}

/** The mismatch between an index entry's keys and its column; undefined if there is none. Its path is the name of the entry's column. */
export function keyMismatch(column: ValueColumn, { number_key: number, text_key: text }: CellKeys): Mismatch | undefined {
  const kind = keyKinds[column.type]
  if (kind === undefined) return { path: 'property_id', expected: 'a column with values', found: column.id }
  if (kind === 'number') return number === null ? { path: 'number_key', expected: 'a number', found: null } : undefined
  if (text === null) return { path: 'text_key', expected: 'a text', found: null }
  if (kind !== 'option' || column.options?.some(({ id }) => id === text)) return undefined
  return { path: 'text_key', expected: 'the id of an option of the column', found: text }
}

/** The tables in one of which the row must be to which the key of an entry refers. */
export function namedByKey(column: ValueColumn, { text_key: text }: CellKeys): readonly NamedRow['table'][] {
  const kind = text === null ? undefined : keyKinds[column.type]
  return kind === 'person' ? ['users', 'member_groups'] : kind === 'page' ? ['pages'] : []
}
