/** An independent validator for the public bundle: plain JSON Schema 2020-12, without the server's preparation. */

import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Document } from '../../../scripts/generate/document.ts'
import { formats } from '../../../server/contract/formats.ts'

const documentId = 'contract:'

/** Compiles schemas of the document by their JSON pointer (`#/components/schemas/Block`). */
export function documentValidator(document: Document): (pointer: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false })
  addFormats.default(ajv)
  for (const [name, { accepts }] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate: accepts })
  ajv.addSchema({ $id: documentId, ...document })
  return (pointer) => {
    const validate = ajv.getSchema(`${documentId}${pointer}`)
    if (validate === undefined) throw new Error(`No schema at ${pointer}`)
    return validate
  }
}

/** A JSON pointer from keys. */
export function pointer(...keys: string[]): string {
  return `#/${keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
}
