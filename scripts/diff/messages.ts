/** Compares the bodies, answers and headers of an operation. */

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

/** The size limit of bodies without a limit of their own, in bytes. */
const generalBodyLimit = 512_000

/** Compares parameters by location and name; receivers get those of a webhook. */
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

function compareContent(comparison: Comparison, before: Content = {}, after: Content = {}, place: string): void {
  const { removed, added } = listChanges(Object.keys(before), Object.keys(after))
  if (removed.length > 0) comparison.report('major', place, `no longer as ${asCode(removed)}`)
  if (added.length > 0) comparison.report('minor', place, `now as ${asCode(added)}, too`)
  for (const [type, was] of Object.entries(before)) {
    const is = after[type]
    if (is === undefined) continue
    comparison.compare(was.schema, is.schema, place)
    if (!isSame(was['encoding'], is['encoding']))
      comparison.report('major', place, `parts of \`${type}\` are encoded differently`)
    if (!isSame(was['x-event-stream'], is['x-event-stream']))
      comparison.report('major', place, `frames of the stream \`${type}\` changed`)
    if (!isSame(was.examples, is.examples)) comparison.report('patch', place, 'other examples')
  }
}

/** Compares answers by status. New errors are allowed, as new codes are; no caller expects a new success status. */
export function compareAnswers(comparison: Comparison, before: OperationObject, after: OperationObject): void {
  const { base, revised } = comparison.contracts
  for (const [status, response] of Object.entries(before.responses)) {
    const other = after.responses[status]
    // Of errors, the listed codes are compared.
    const isListed = status >= '400' && after['x-error-codes'] !== undefined
    if (other === undefined) comparison.report(isListed ? 'minor' : 'major', `answer ${status}`, 'no longer sent')
    else
      compareAnswer(
        comparison,
        resolve<ResponseObject>(base, response),
        resolve<ResponseObject>(revised, other),
        `answer ${status}`,
      )
  }
  for (const status of Object.keys(after.responses).filter((code) => !(code in before.responses)))
    comparison.report(status >= '400' ? 'minor' : 'major', `answer ${status}`, 'new')
}

function compareAnswer(comparison: Comparison, before: ResponseObject, after: ResponseObject, place: string): void {
  if (before.description !== after.description) comparison.report('patch', place, 'other wording')
  compareContent(comparison, before.content, after.content, place)
  compareHeaders(comparison, before.headers ?? {}, after.headers ?? {}, place)
}

type Headers = Record<string, Header | ReferenceObject>

function compareHeaders(comparison: Comparison, before: Headers, after: Headers, place: string): void {
  for (const [name, header] of Object.entries(before)) {
    const other = after[name]
    if (other === undefined) comparison.report('major', `${place} header ${name}`, 'no longer sent')
    else
      compareHeader(
        comparison,
        headerOf(comparison.contracts.base, header),
        headerOf(comparison.contracts.revised, other),
        `header ${name}`,
      )
  }
  for (const name of Object.keys(after).filter((header) => !(header in before)))
    comparison.report('minor', `${place} header ${name}`, 'new')
}

const headerOf = (document: Document, header: Header | ReferenceObject): Header => resolve<Header>(document, header)

function compareHeader(comparison: Comparison, before: Header, after: Header, place: string): void {
  if (before.required === true && after.required !== true) comparison.report('major', place, 'not always sent, was always')
  if (before.required !== true && after.required === true) comparison.report('minor', place, 'always sent, was not always')
  if (before.description !== after.description) comparison.report('patch', place, 'other wording')
  comparison.compare(before.schema, after.schema, place)
}
