import type { RowValues } from '../../../store/pages.ts'
import type { StoredProperty } from '../properties/stored.ts'
import type { StoredPerson } from '../properties/stored_values.ts'

/** The users in the people properties of a row who were not in the same property before. */
export function newlyAssigned(columns: readonly StoredProperty[], before: RowValues, next: RowValues): string[] {
  const added = columns.flatMap(({ id, type }) => {
    if (type !== 'people') return []
    const known = new Set(usersIn(before[id]))
    return usersIn(next[id]).filter((user) => !known.has(user))
  })
  return [...new Set(added)]
}

function usersIn(stored: unknown): string[] {
  return ((stored ?? []) as readonly StoredPerson[]).flatMap(({ object, id }) => (object === 'user' ? [id] : []))
}
