import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ControlId } from '../../../testkit/src/control/control_calls.ts'
import { parseObject, type JsonObject } from '../../harness/json.ts'

interface Described {
  readonly operationId: ControlId
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: unknown }>>
}

interface ControlDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

const document = JSON.parse(readFileSync(new URL('../../../generated/control.json', import.meta.url), 'utf8')) as ControlDocument
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'control', ...document })

/** The operations of the control API, with the location of their descriptions. */
export const controlOperations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({ id: operation.operationId, method, path, responses: operation.responses })),
)

export interface ControlResponse {
  readonly status: number
  readonly body: JsonObject
}

/** Operations and statuses of all calls in this process. */
export const seen = new Set<string>()

/** Calls an operation, and checks the response against the contract of the control API. */
export async function callControl(
  url: string,
  id: ControlId,
  { path = {}, query = '', ...init }: RequestInit & { path?: Record<string, string>; query?: string; json?: unknown } = {},
): Promise<ControlResponse> {
  const operation = controlOperations.find((one) => one.id === id)
  if (!operation) throw new Error(`the control API has no ${id}`)
  const target = operation.path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(path[name] ?? ''))
  const { json, ...rest } = init
  const body = json === undefined ? {} : { body: JSON.stringify(json), headers: { 'Content-Type': 'application/json' } }
  const response = await fetch(url + target + query, { method: operation.method.toUpperCase(), ...body, ...rest })
  const text = await response.text()
  requireDescribed(operation, response.status, text)
  seen.add(`${id} ${response.status}`)
  return { status: response.status, body: parseObject(text) }
}

function requireDescribed({ path, method, responses }: (typeof controlOperations)[number], status: number, text: string): void {
  const described = responses[status]
  if (!described) throw new Error(`${method} ${path} has no response ${status}: ${text}`)
  const location = described.$ref ?? `#/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}`
  const validate = ajv.compile({ $ref: `control${encodeURI(location)}/content/application~1json/schema` })
  if (!validate(JSON.parse(text)))
    throw new Error(
      `${method} ${path} responded with ${status} in violation of its contract: ${ajv.errorsText(validate.errors)}\n${text}`,
    )
}
