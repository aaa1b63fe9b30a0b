/** Columns of types without settings whose values are plain texts, for data sources with a column of every type. */
export const textColumns = {
  Phone: { phone_number: {} },
}
