/** A curl call per operation, ready to paste once `$TOKEN` and `$BASE_URL` are set. */

import {
  isObject,
  parametersOf,
  requestBodyOf,
  resolve,
  type Document,
  type Example,
  type JsonValue,
  type Parameter,
  type PlacedOperation,
} from '../generate/document.ts'

/** The call with the examples of the operation: path and required query parameters, headers, first request body. */
export function curlCall(document: Document, placed: PlacedOperation): string {
  const { method, operation } = placed
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$BASE_URL${addressOf(document, placed)}"`,
    ...credentialLines(operation['x-credentials']),
  ]
  const headers = parametersOf(document, placed).filter(({ in: place, name }) => place === 'header' && name === 'Service-Version')
  lines.push(...headers.map((header) => `-H '${header.name}: ${valueOf(document, header)}'`), ...bodyLines(document, placed))
  return lines.join(' \\\n  ')
}

function addressOf(document: Document, placed: PlacedOperation): string {
  const parameters = parametersOf(document, placed)
  const path = parameters
    .filter(({ in: place }) => place === 'path')
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, valueOf(document, parameter)), placed.path)
  const query = parameters.filter(({ in: place, required }) => place === 'query' && required === true)
  return query.length === 0
    ? path
    : `${path}?${query.map((parameter) => `${parameter.name}=${encodeURIComponent(valueOf(document, parameter))}`).join('&')}`
}

function valueOf(document: Document, { name, example, examples }: Parameter): string {
  if (example !== undefined) return String(example)
  const [first] = isObject(examples) ? Object.values(examples).filter(isObject) : []
  return first === undefined ? `{${name}}` : String(resolve<Example>(document, first).value)
}

function credentialLines(credentials = 'bearer'): string[] {
  if (credentials === 'none') return []
  return credentials === 'client' ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : ['-H "Authorization: Bearer $TOKEN"']
}

function bodyLines(document: Document, { operation }: PlacedOperation): string[] {
  const [first] = Object.entries(requestBodyOf(document, operation)?.content ?? {})
  if (first === undefined) return []
  const [type, { examples = {} }] = first
  const [example] = Object.values(examples)
  const value = example === undefined ? {} : (resolve<Example>(document, example).value ?? {})
  if (type === 'multipart/form-data')
    return formFields(value).map(([key, text]) => (key === 'file' ? `-F 'file=@${text}'` : `-F '${key}=${text}'`))
  if (type === 'application/x-www-form-urlencoded')
    return formFields(value).map(([key, text]) => `--data-urlencode '${key}=${text}'`)
  return [`-H 'Content-Type: ${type}'`, `-d '${JSON.stringify(value, null, 2).replaceAll("'", "'\\''")}'`]
}

function formFields(value: JsonValue): [string, string][] {
  return isObject(value) ? Object.entries(value).map(([key, field]) => [key, String(field)]) : []
}
