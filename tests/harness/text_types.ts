/**
 * Types of properties without settings whose values are texts of up to 200 characters. One row here covers the tests of columns, values,
 * filters and groups.
 */

interface TextType {
  readonly type: string
  /** The name of its column in data sources with a column of every type. */
  readonly column: string
  readonly value: string
}

export const textTypes: readonly TextType[] = [
  // One line for each type.
  { type: 'phone_number', column: 'Phone', value: '+49 30 1' },
]

/** The columns, for data sources. */
export const textColumns = Object.fromEntries(textTypes.map(({ type, column }) => [column, { [type]: {} }]))

/** The values, for a row. */
export const textValues = Object.fromEntries(textTypes.map(({ type, column, value }) => [column, { [type]: value }]))

/** The empty values of a row without texts. */
export const noTexts = Object.fromEntries(textTypes.map(({ column }) => [column, null]))
