/** Short enough that a numeric suffix fits within the length limit. */
const LENGTH_KEPT = 1_990

/**
 * The requested name if it is available, otherwise the name with the first available numeric suffix. The result respects the length limit
 * of names.
 */
export function freeName(taken: ReadonlySet<string>, wanted: string): string {
  const start = [...wanted].slice(0, LENGTH_KEPT).join('')
  let name = start
  for (let count = 2; taken.has(name); count += 1) name = `${start} ${count}`
  return name
}

/** A column whose name another column may also have. */
interface NamedProperty {
  readonly name: string
  /** Whether this one gets the suffix. */
  readonly yields?: true
}

/**
 * Makes column names unique. A caller who cannot see a column may give its name to another one; callers who see both get a numeric
 * suffix on the other one.
 */
export function withUniqueNames<Property extends NamedProperty>(properties: readonly Property[]): readonly Property[] {
  const taken = new Set(properties.map(({ name }) => name))
  if (taken.size === properties.length) return properties
  const names = new Map<Property, string>()
  const met = new Set<string>()
  for (const property of properties.toSorted((one, other) => Number(one.yields ?? false) - Number(other.yields ?? false))) {
    const name = met.has(property.name) ? freeName(taken, property.name) : property.name
    met.add(name)
    taken.add(name)
    names.set(property, name)
  }
  return properties.map((property) => ({ ...property, name: names.get(property) ?? property.name }))
}
