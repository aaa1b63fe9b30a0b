/** JSON Schemas that several tools share. */

/** The argument that names a page. */
export const pageName = {
  type: 'string',
  description: 'The id of a page, or its whole title.',
  minLength: 1,
  maxLength: 2_000,
  pattern: '^[^\\u0000]*$',
} as const

export const pageTitle = {
  type: 'string',
  description: 'The title, on one line.',
  minLength: 1,
  maxLength: 2_000,
  pattern: '^[^\\u0000\\r\\n]*$',
} as const
