/** Compares the bodies, responses and headers of an operation. */

import type {
  Document,
  Header,
  MediaType,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  RequestBody,
  ResponseObject,
} from '../generate/document.ts'
import { requestBodyOf, resolve } from '../generate/document.ts'
import { compareDeprecation } from './deprecation.ts'
import { compareLimit } from './limits.ts'
import { isSame, listChanges, narrower, asCode, reportBySide, wider, type Comparison } from './comparison.ts'

/** In bytes, for operations without a limit of their own. */
const generalBodyLimit = 512_000

/** Compares parameters by location and name. For webhooks, the service sends them. */
export function compareParameters(comparison: Comparison, before: ParameterObject[], after: ParameterObject[]): void {
  const key = (parameter: ParameterObject): string => `${parameter.in} ${parameter.name}`
  for (const was of before) {
    const is = after.find((parameter) => key(parameter) === key(was))
    if (is === undefined) {
      comparison.report('major', key(was), `no longer ${comparison.side === 'request' ? 'accepted' : 'sent'}`)
      continue
    }
    if (is.required !== was.required && (is.required === true || was.required === true))
      reportBySide(
        comparison,
        is.required === true ? narrower : wider,
        key(is),
        is.required === true ? 'required, was optional' : 'optional, was required',
      )
    compareDeprecation(comparison, was, is, key(is))
    if (['style', 'explode', 'allowReserved', 'content'].some((field) => !isSame(was[field], is[field])))
      comparison.report('major', key(is), 'encoded differently')
    if (was.description !== is.description) comparison.report('patch', key(is), 'other wording')
    comparison.compare(was.schema, is.schema, key(is))
  }
  for (const is of after.filter((parameter) => before.every((was) => key(was) !== key(parameter)))) {
    const needed = is.required === true && comparison.side === 'request'
    comparison.report(needed ? 'major' : 'minor', key(is), needed ? 'new and required' : 'new')
  }
}

export function compareRequestBody(comparison: Comparison, before: OperationObject, after: OperationObject): void {
  const { base, revised } = comparison.contracts
  const [was, is] = [requestBodyOf(base, before), requestBodyOf(revised, after)]
  if (was === undefined || is === undefined) {
    if (is !== undefined)
      comparison.report(is.required === true ? 'major' : 'minor', 'body', is.required === true ? 'new and required' : 'new')
    else if (was !== undefined) comparison.report('major', 'body', 'no longer accepted')
    return
  }
  compareBodyNeed(comparison, was, is)
  compareLimit(comparison, 'x-body-limit', was['x-body-limit'], is['x-body-limit'], 'body', generalBodyLimit)
  if (was.description !== is.description) comparison.report('patch', 'body', 'other wording')
  compareContent(comparison, was.content, is.content, 'body')
}

function compareBodyNeed(
  comparison: Comparison,
  { required: was = false }: RequestBody,
  { required: is = false }: RequestBody,
): void {
  if (is !== was)
    reportBySide(comparison, is ? narrower : wider, 'body', is ? 'required, was optional' : 'optional, was required')
}

type Content = Record<string, MediaType>

function compareContent(comparison: Comparison, before: Content = {}, after: Content = {}, location: string): void {
  const { removed, added } = listChanges(Object.keys(before), Object.keys(after))
  if (removed.length > 0) comparison.report('major', location, `no longer as ${asCode(removed)}`)
  if (added.length > 0) comparison.report('minor', location, `now as ${asCode(added)}, too`)
  for (const [type, was] of Object.entries(before)) {
    const is = after[type]
    if (is === undefined) continue
    comparison.compare(was.schema, is.schema, location)
    if (!isSame(was['encoding'], is['encoding']))
      comparison.report('major', location, `parts of \`${type}\` are encoded differently`)
    if (!isSame(was['x-event-stream'], is['x-event-stream']))
      comparison.report('major', location, `frames of the stream \`${type}\` changed`)
    if (!isSame(was.examples, is.examples)) comparison.report('patch', location, 'other examples')
  }
}

/** Compares responses by status. New errors are allowed, as new codes are, but callers do not expect a new success status. */
export function compareResponses(comparison: Comparison, before: OperationObject, after: OperationObject): void {
  const { base, revised } = comparison.contracts
  for (const [status, response] of Object.entries(before.responses)) {
    const other = after.responses[status]
    // For errors, the listed codes are compared.
    const isListed = status >= '400' && after['x-error-codes'] !== undefined
    if (other === undefined) comparison.report(isListed ? 'minor' : 'major', `response ${status}`, 'no longer sent')
    else
      compareResponse(
        comparison,
        resolve<ResponseObject>(base, response),
        resolve<ResponseObject>(revised, other),
        `response ${status}`,
      )
  }
  for (const status of Object.keys(after.responses).filter((code) => !(code in before.responses)))
    comparison.report(status >= '400' ? 'minor' : 'major', `response ${status}`, 'new')
}

function compareResponse(comparison: Comparison, before: ResponseObject, after: ResponseObject, location: string): void {
  if (before.description !== after.description) comparison.report('patch', location, 'other wording')
  compareContent(comparison, before.content, after.content, location)
  compareHeaders(comparison, before.headers ?? {}, after.headers ?? {}, location)
}

type Headers = Record<string, Header | ReferenceObject>

function compareHeaders(comparison: Comparison, before: Headers, after: Headers, location: string): void {
  for (const [name, header] of Object.entries(before)) {
    const other = after[name]
    if (other === undefined) comparison.report('major', `${location} header ${name}`, 'no longer sent')
    else
      compareHeader(
        comparison,
        headerOf(comparison.contracts.base, header),
        headerOf(comparison.contracts.revised, other),
        `header ${name}`,
      )
  }
  for (const name of Object.keys(after).filter((header) => !(header in before)))
    comparison.report('minor', `${location} header ${name}`, 'new')
}

const headerOf = (document: Document, header: Header | ReferenceObject): Header => resolve<Header>(document, header)

function compareHeader(comparison: Comparison, before: Header, after: Header, location: string): void {
  if (before.required === true && after.required !== true) comparison.report('major', location, 'not always sent, was always')
  if (before.required !== true && after.required === true) comparison.report('minor', location, 'always sent, was not always')
  if (before.description !== after.description) comparison.report('patch', location, 'other wording')
  comparison.compare(before.schema, after.schema, location)
}
