import { keyKinds, valueForms } from './property_types.ts'
import { numberForm, where, type Form, type Misfit } from './form.ts'

/** A column of a data source, as far as its values depend on it. */
export interface ValueColumn {
  readonly id: string
  readonly type: string
  readonly options?: readonly { readonly id: string }[]
  readonly dataSourceId?: string
  /** What a computed column was before: rows keep the values of that. */
  readonly hidden?: ValueColumn
}

/** A row that a value names. */
export interface NamedRow {
  readonly table: 'custom_emojis' | 'data_sources' | 'file_uploads' | 'member_groups' | 'pages' | 'users'
  readonly id: string
  /** Where in the value: `[0].id`. */
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
/** Earlier releases left it behind when a column of unique ids became a computed one. */
const formerNumber = numberForm
const noValue = where('nothing, as the column stores no values', () => false)

/** The form of the values that rows have of a column. */
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
 * The rows that a value of the form of its column names, but for files, which are looked for in all content. Options are not among them:
 * values keep those that were removed.
 */
export function namedRows({ type, hidden }: ValueColumn, value: unknown): readonly NamedRow[] {
  switch (type) {
    case 'people':
      return (value as readonly Person[]).map(({ object, id }, index) => {
        return { table: object === 'group' ? 'member_groups' : 'users', id, path: `[${index}].id` }
      })
    case 'relation':
      // The pages that rows link to stay, even when they leave the data source.
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

/** The keys of an entry of the index of values. */
export interface CellKeys {
  readonly number_key: number | null
  readonly text_key: string | null
}

/** What is wrong with the keys of an entry, as far as the column tells. The path is the name of the column of the entry. */
export function keyMisfit(column: ValueColumn, { number_key: number, text_key: text }: CellKeys): Misfit | undefined {
  const kind = keyKinds[column.type]
  if (kind === undefined) return { path: 'property_id', expected: 'a column with values', found: column.id }
  if (kind === 'number') return number === null ? { path: 'number_key', expected: 'a number', found: null } : undefined
  if (text === null) return { path: 'text_key', expected: 'a text', found: null }
  if (kind !== 'option' || column.options?.some(({ id }) => id === text)) return undefined
  return { path: 'text_key', expected: 'the id of an option of the column', found: text }
}

/** The row that the key of an entry names: of the first table, or of the second one. */
export function namedByKey(column: ValueColumn, { text_key: text }: CellKeys): readonly NamedRow['table'][] {
  const kind = text === null ? undefined : keyKinds[column.type]
  return kind === 'person' ? ['users', 'member_groups'] : kind === 'page' ? ['pages'] : []
}
