/** The call that the samples of an operation make in every language, from the examples of the operation. */

import {
  parametersOf,
  requestBodyOf,
  resolve,
  type Document,
  type Example,
  type JsonValue,
  type OperationObject,
  type ParameterObject,
  type PlacedOperation,
} from '../../generate/document.ts'
import { clientName } from '../../generate/client.ts'
import { releaseDates } from '../../generate/versions.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

export type SampleBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: JsonValue }
  /** The form's field `file` is a file in the folder of the program. */
  | { readonly kind: 'form'; readonly fields: readonly (readonly [name: string, value: string])[]; readonly file?: string }
  | { readonly kind: 'urlencoded'; readonly fields: readonly (readonly [name: string, value: string])[] }

export interface SampleCall {
  readonly operationId: string
  /** Where the project's client has the operation, such as `pages.create`. */
  readonly clientName: string
  /** In upper case, such as `POST`. */
  readonly method: string
  /** The path with parameter values, and the required query parameters. */
  readonly address: string
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly credentials: 'bearer' | 'client' | 'none'
  /** The value of the version header; undefined for an operation without it. */
  readonly version: string | undefined
  readonly body: SampleBody
  /** Whether the response is a page or redirect for a browser, so that the client has no method for it. */
  readonly forBrowsers: boolean
}

export function sampleCall(document: Document, placed: PlacedOperation): SampleCall {
  const { method, operation, path } = placed
  const parameters = parametersOf(document, placed)
  const valuesIn = (location: ParameterObject['in']): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === location && parameter.required === true)
        .map((parameter) => [parameter.name, valueOf(document, parameter)]),
    )
  const [inPath, inQuery] = [valuesIn('path'), valuesIn('query')]
  const filled = Object.entries(inPath).reduce((text, [name, value]) => text.replace(`{${name}}`, value), path)
  const query = new URLSearchParams(inQuery).toString()
  return {
    operationId: operation.operationId,
    clientName: clientName({ id: operation.operationId, path }),
    method: method.toUpperCase(),
    address: query === '' ? filled : `${filled}?${query}`,
    path: inPath,
    query: inQuery,
    credentials: credentialsOf(operation['x-credentials']),
    version: versionOf(document, operation, versionIn(valuesIn('header'))),
    body: bodyOf(document, placed),
    forBrowsers: !Object.entries(operation.responses).some(
      ([status, response]) => status.startsWith('2') && resolve(document, response).content?.['application/json'] !== undefined,
    ),
  }
}

function versionIn(headers: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(headers).find(([name]) => name.endsWith('-Version'))?.[1]
}

/** The release that the document describes, or the last one that has the operation. */
function versionOf(document: Document, operation: OperationObject, described: string | undefined): string | undefined {
  const before = operation['x-available']?.before
  if (described === undefined || before === undefined) return described
  return releaseDates(document)
    .filter((date) => date < before)
    .toSorted()
    .at(-1)
}

function credentialsOf(word = 'bearer'): SampleCall['credentials'] {
  return word === 'none' || word === 'client' ? word : 'bearer'
}

function valueOf(document: Document, { name, example, examples, schema }: ParameterObject): string {
  if (example !== undefined) return String(example)
  const [first] = isObject(examples) ? Object.values(examples).filter(isObject) : []
  if (first !== undefined) return String(resolve<Example>(document, first).value)
  return String(schema?.const ?? schema?.enum?.[0] ?? `{${name}}`)
}

function bodyOf(document: Document, { operation }: PlacedOperation): SampleBody {
  const [first] = Object.entries(requestBodyOf(document, operation)?.content ?? {})
  if (first === undefined) return { kind: 'none' }
  const [type, { examples = {} }] = first
  const [example] = Object.values(examples)
  const value = example === undefined ? {} : (resolve<Example>(document, example).value ?? {})
  if (type === 'multipart/form-data') {
    const fields = formFields(value)
    const file = fields.find(([name]) => name === 'file')?.[1]
    return { kind: 'form', fields: fields.filter(([name]) => name !== 'file'), ...(file === undefined ? {} : { file }) }
  }
  if (type === 'application/x-www-form-urlencoded') return { kind: 'urlencoded', fields: formFields(value) }
  return { kind: 'json', value }
}

function formFields(value: JsonValue): [string, string][] {
  return isObject(value) ? Object.entries(value).map(([key, field]) => [key, String(field)]) : []
}
