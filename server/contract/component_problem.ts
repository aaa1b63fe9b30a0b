import { readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { components } from '../../generated/types.ts'
import { formats } from './formats.ts'

/** Components that are validated outside requests: on the command line, before they are stored, and where they are stored. */
type ComponentName = keyof components['schemas']

const DOCUMENT = 'contract'
let compiler: Ajv2020 | undefined

/** @returns why a value is not valid as that component, such as `/permissions/0/scopes/1 must be …`; undefined if it is valid */
export function componentProblem(name: ComponentName, value: unknown): string | undefined {
  const validate = (compiler ??= makeCompiler()).getSchema(`${DOCUMENT}#/components/schemas/${name}`)
  if (!validate) throw new Error(`the contract has no component ${name}`)
  return validate(value) ? undefined : (validate.errors ?? []).map(sentence).join('; ')
}

function makeCompiler(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, discriminator: true, formats: { ...formatsOfCompiler(), uri: true } })
  const text = readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')
  ajv.addSchema(JSON.parse(text, withoutMapping) as object, DOCUMENT)
  return ajv
}

/** Ajv does not support `mapping` in a discriminator. It selects the variant by its `const` tag. */
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
