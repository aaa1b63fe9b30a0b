import type { StoredProperty } from './stored.ts'

/** Room for a number behind a name. */
const LENGTH_KEPT = 1_990

/** A name that is not taken, at most as long as names may be: the wanted one, or with the first free number behind it. */
export function freeName(taken: ReadonlySet<string>, wanted: string): string {
  const start = [...wanted].slice(0, LENGTH_KEPT).join('')
  let name = start
  for (let count = 2; taken.has(name); count += 1) name = `${start} ${count}`
  return name
}

/**
 * Columns of which no two have one name. Who does not see a column may give its name to another one; to who sees both, that other one
 * bears a number.
 */
export function namedApart(properties: readonly StoredProperty[]): readonly StoredProperty[] {
  const taken = new Set(properties.map(({ name }) => name))
  if (taken.size === properties.length) return properties
  const names = new Map<StoredProperty, string>()
  const met = new Set<string>()
  for (const property of properties.toSorted((one, other) => Number(one.yields ?? false) - Number(other.yields ?? false))) {
    const name = met.has(property.name) ? freeName(taken, property.name) : property.name
    met.add(name)
    taken.add(name)
    names.set(property, name)
  }
  return properties.map((property) => ({ ...property, name: names.get(property) ?? property.name }))
}
