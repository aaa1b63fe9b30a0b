import { ServiceError, validationError } from '../kernel/errors.ts'

export type Query = Record<string, string | string[]>

/**
 * Parses a query string. A parameter whose type is an array may be repeated, with or without `[]` after its name; other parameters may
 * occur once.
 * @param arrays the names of the parameters that are arrays
 * @throws ServiceError `validation_error`: at `query.<name>` for a scalar that is repeated, at `query` for invalid percent-encoding
 */
export function parseQuery(text: string, arrays: ReadonlySet<string>): Query {
  const query: Query = Object.create(null)
  if (text === '') return query
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const [rawName, rawValue] = splitOnce(pair)
    const name = decode(rawName)
    const base = name.endsWith('[]') ? name.slice(0, -2) : name
    const value = decode(rawValue)
    if (arrays.has(base)) {
      const values = query[base]
      if (Array.isArray(values)) values.push(value)
      else query[base] = [value]
    } else if (name in query) {
      throw validationError(`query.${name}`, 'given once', [query[name], value])
    } else {
      query[name] = value
    }
  }
  return query
}

/** The decoded pairs of a query, without `[]` after names and without validation, for comparing queries. */
export function queryPairs(text: string): (readonly [name: string, value: string])[] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name, value] = splitOnce(pair).map(lenientDecode)
      return [name?.replace(/\[\]$/, '') ?? '', value ?? ''] as const
    })
}

function lenientDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function splitOnce(pair: string): [string, string] {
  const equalsSign = pair.indexOf('=')
  return equalsSign === -1 ? [pair, ''] : [pair.slice(0, equalsSign), pair.slice(equalsSign + 1)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new ServiceError('validation_error', { message: 'query failed validation: query should be percent-encoded UTF-8.' })
  }
}
