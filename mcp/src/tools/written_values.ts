import { z } from 'zod'

/** Property values by name, as a model writes them. */
export const writtenValues = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number()]))]))
  .describe(
    'Values by property name: texts, numbers, true or false, names of options and people, dates like 2026-05-16 or 2026-05-16/2026-05-18, ids or titles of rows for relations, URLs for files; null clears the value.',
  )
