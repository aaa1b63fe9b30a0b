/** Bodies, answers and headers of one operation. */

import type { Document, Header, MediaType, Operation, Parameter, Reference, RequestBody, Response } from '../generate/document.ts'
import { requestBodyOf, resolve } from '../generate/document.ts'
import { compareDeprecation } from './deprecation.ts'
import { compareLimit } from './limits.ts'
import { isSame, listChanges, narrower, quoted, reportBySide, wider, type Walk } from './walk.ts'

/** The limit of bodies that name none of their own, in bytes. */
const generalBodyLimit = 512_000

/** Parameters by place and name; those of a webhook are what receivers get. */
export function compareParameters(walk: Walk, before: Parameter[], after: Parameter[]): void {
  const key = (parameter: Parameter): string => `${parameter.in} ${parameter.name}`
  for (const was of before) {
    const is = after.find((parameter) => key(parameter) === key(was))
    if (is === undefined) {
      walk.report('major', key(was), `no longer ${walk.side === 'request' ? 'accepted' : 'sent'}`)
      continue
    }
    if (is.required !== was.required && (is.required === true || was.required === true))
      reportBySide(
        walk,
        is.required === true ? narrower : wider,
        key(is),
        is.required === true ? 'required, was optional' : 'optional, was required',
      )
    compareDeprecation(walk, was, is, key(is))
    if (['style', 'explode', 'allowReserved', 'content'].some((field) => !isSame(was[field], is[field])))
      walk.report('major', key(is), 'written in another way')
    if (was.description !== is.description) walk.report('patch', key(is), 'other words')
    walk.compare(was.schema, is.schema, key(is))
  }
  for (const is of after.filter((parameter) => before.every((was) => key(was) !== key(parameter)))) {
    const needed = is.required === true && walk.side === 'request'
    walk.report(needed ? 'major' : 'minor', key(is), needed ? 'new and required' : 'new')
  }
}

export function compareRequestBody(walk: Walk, before: Operation, after: Operation): void {
  const { base, revised } = walk.contracts
  const [was, is] = [requestBodyOf(base, before), requestBodyOf(revised, after)]
  if (was === undefined || is === undefined) {
    if (is !== undefined)
      walk.report(is.required === true ? 'major' : 'minor', 'body', is.required === true ? 'new and required' : 'new')
    else if (was !== undefined) walk.report('major', 'body', 'no longer accepted')
    return
  }
  compareBodyNeed(walk, was, is)
  compareLimit(walk, 'x-body-limit', was['x-body-limit'], is['x-body-limit'], 'body', generalBodyLimit)
  if (was.description !== is.description) walk.report('patch', 'body', 'other words')
  compareContent(walk, was.content, is.content, 'body')
}

function compareBodyNeed(walk: Walk, { required: was = false }: RequestBody, { required: is = false }: RequestBody): void {
  if (is !== was) reportBySide(walk, is ? narrower : wider, 'body', is ? 'required, was optional' : 'optional, was required')
}

type Content = Record<string, MediaType>

function compareContent(walk: Walk, before: Content = {}, after: Content = {}, place: string): void {
  const { removed, added } = listChanges(Object.keys(before), Object.keys(after))
  if (removed.length > 0) walk.report('major', place, `no longer as ${quoted(removed)}`)
  if (added.length > 0) walk.report('minor', place, `now as ${quoted(added)}, too`)
  for (const [type, was] of Object.entries(before)) {
    const is = after[type]
    if (is === undefined) continue
    walk.compare(was.schema, is.schema, place)
    if (!isSame(was['encoding'], is['encoding'])) walk.report('major', place, `parts of \`${type}\` are written in another way`)
    if (!isSame(was['x-event-stream'], is['x-event-stream']))
      walk.report('major', place, `frames of the stream \`${type}\` changed`)
    if (!isSame(was.examples, is.examples)) walk.report('patch', place, 'other examples')
  }
}

/** Answers by status. An error status may come, as its codes may; a new kind of success is one that no caller expects. */
export function compareAnswers(walk: Walk, before: Operation, after: Operation): void {
  const { base, revised } = walk.contracts
  for (const [status, response] of Object.entries(before.responses)) {
    const other = after.responses[status]
    if (other === undefined) walk.report('major', `answer ${status}`, 'no longer sent')
    else compareAnswer(walk, resolve<Response>(base, response), resolve<Response>(revised, other), `answer ${status}`)
  }
  for (const status of Object.keys(after.responses).filter((code) => !(code in before.responses)))
    walk.report(status >= '400' ? 'minor' : 'major', `answer ${status}`, 'new')
}

function compareAnswer(walk: Walk, before: Response, after: Response, place: string): void {
  if (before.description !== after.description) walk.report('patch', place, 'other words')
  compareContent(walk, before.content, after.content, place)
  compareHeaders(walk, before.headers ?? {}, after.headers ?? {}, place)
}

type Headers = Record<string, Header | Reference>

function compareHeaders(walk: Walk, before: Headers, after: Headers, place: string): void {
  for (const [name, header] of Object.entries(before)) {
    const other = after[name]
    if (other === undefined) walk.report('major', `${place} header ${name}`, 'no longer sent')
    else compareHeader(walk, headerOf(walk.contracts.base, header), headerOf(walk.contracts.revised, other), `header ${name}`)
  }
  for (const name of Object.keys(after).filter((header) => !(header in before)))
    walk.report('minor', `${place} header ${name}`, 'new')
}

const headerOf = (document: Document, header: Header | Reference): Header => resolve<Header>(document, header)

function compareHeader(walk: Walk, before: Header, after: Header, place: string): void {
  if (before.required === true && after.required !== true) walk.report('major', place, 'not always sent, was always')
  if (before.required !== true && after.required === true) walk.report('minor', place, 'always sent, was not always')
  if (before.description !== after.description) walk.report('patch', place, 'other words')
  walk.compare(before.schema, after.schema, place)
}
