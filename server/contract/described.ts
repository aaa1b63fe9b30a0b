import { readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { formats } from './formats.ts'

/** Parts of answers that administrators write: they are held against the contract before they are kept. */
type DescribedPart = 'AgentConnection' | 'AgentIcon' | 'AgentModel' | 'AgentTrigger'

const DOCUMENT = 'contract'
let compiler: Ajv2020 | undefined

/** @returns what is wrong with a part, as `/permissions/0/scopes/1 must be …`; undefined when the contract allows it */
export function problemOf(part: DescribedPart, value: unknown): string | undefined {
  const validate = (compiler ??= makeCompiler()).getSchema(`${DOCUMENT}#/components/schemas/${part}`)
  if (!validate) throw new Error(`the contract has no ${part}`)
  return validate(value) ? undefined : (validate.errors ?? []).map(sentence).join('; ')
}

function makeCompiler(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, discriminator: true, formats: formatsOfCompiler() })
  const text = readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')
  ajv.addSchema(JSON.parse(text, withoutMapping) as object, DOCUMENT)
  return ajv
}

/** The compiler finds variants by their tags alone. */
function withoutMapping(key: string, value: unknown): unknown {
  if (key !== 'discriminator' || typeof value !== 'object' || value === null || !('propertyName' in value)) return value
  return { propertyName: value.propertyName }
}

function formatsOfCompiler(): Record<string, (text: string) => boolean> {
  return Object.fromEntries(Object.entries(formats).map(([name, { accepts }]) => [name, accepts]))
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  const allowed = 'allowedValues' in params ? ` ${JSON.stringify(params['allowedValues'])}` : ''
  return `${instancePath} ${message ?? 'is not allowed'}${allowed}`.trim()
}
