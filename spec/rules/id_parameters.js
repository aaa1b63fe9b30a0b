import { follow, operations, parameters, text } from './support/contract.js'

const dashed = '479dd02e-5974-4f6b-8eeb-4467a5c46004'
const spellings = [dashed, dashed.replaceAll('-', ''), dashed.toUpperCase()]

/**
 * A `…_id` path parameter for a UUID also accepts it without dashes and in upper case; `format: uuid` would refuse that. Options: ids that
 * are not UUIDs.
 * @param {unknown} document
 * @param {{others: string[]}} options
 */
export default function idParameters(document, { others }) {
  return operations(document).flatMap((placed) =>
    parameters(document, placed).flatMap(({ value, path }) => {
      const name = text(value['name'])
      if (value['in'] !== 'path' || !name.endsWith('_id') || others.includes(name)) return []
      const schema = follow(document, value['schema'], []).value
      const pattern = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern'], 'u') : undefined
      if (schema['format'] === 'uuid')
        return [{ message: `${name}: format uuid refuses ids without dashes; use IdRequest`, path }]
      return pattern !== undefined && spellings.every((id) => pattern.test(id))
        ? []
        : [{ message: `${name} must accept ids with and without dashes; use IdRequest`, path }]
    }),
  )
}
