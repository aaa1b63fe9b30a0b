import { ToolError } from '../tool.ts'

/** A property of a data source or page, as far as tools need it. */
export interface NamedProperty {
  readonly name: string
  readonly type: string
}

/**
 * Finds a property by its name, ignoring case.
 * @param path leads to the name in the input
 * @throws ToolError that lists the names
 */
export function propertyNamed<Property extends NamedProperty>(
  properties: readonly Property[],
  written: string,
  path: string,
): Property {
  const same = (name: string): boolean => name.trim().toLowerCase() === written.trim().toLowerCase()
  const found = properties.find(({ name }) => name === written) ?? properties.find(({ name }) => same(name))
  if (found) return found
  const names = properties.map(({ name, type }) => `${JSON.stringify(name)} (${type})`).join(', ')
  throw new ToolError(`${path}: ${JSON.stringify(written)} is not a property. The properties are: ${names}.`)
}
