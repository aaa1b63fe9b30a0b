import { blockType } from './block_type.ts'
import { databaseTable } from './database_table.ts'
import { error } from './error.ts'
import { event } from './event.ts'
import type { Kind } from './kind.ts'
import { operation } from './operation.ts'
import { propertyType } from './property_type.ts'
import { releaseDate } from './release.ts'
import { schema } from './schema.ts'

/** The kinds of additions, by the first argument of the command. */
export const kinds: ReadonlyMap<string, Kind> = new Map([
  ['operation', operation],
  ['schema', schema],
  ['table', databaseTable],
  ['block-type', blockType],
  ['property-type', propertyType],
  ['event', event],
  ['error', error],
  ['release', releaseDate],
])
