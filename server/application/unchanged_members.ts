import type { Operation } from '../contract/operation.ts'
import { canonicalJson } from '../kernel/canonical_json.ts'
import { validationError, type ServiceError } from '../kernel/errors.ts'
import { oneSpelling } from '../kernel/ids.ts'
import { isObject } from '../kernel/is_object.ts'

/** Members in a request that it cannot change, such as `id` and `parent` of a page. */
export type UnchangedMembers = Readonly<Record<string, unknown>>

const NOTHING: UnchangedMembers = {}

/**
 * Removes the read-only members from a body, in place: handlers see only members that a request can change.
 * @returns the members whose values must agree with the record
 */
export function takeReadOnlyMembers({ readOnlyMembers }: Pick<Operation, 'readOnlyMembers'>, body: unknown): UnchangedMembers {
  if (!readOnlyMembers || !isObject(body)) return NOTHING
  for (const name of readOnlyMembers.ignored) delete body[name]
  const taken: Record<string, unknown> = {}
  for (const name of readOnlyMembers.unchanged) {
    const value = body[name]
    if (value !== undefined && value !== null && value !== '') taken[name] = value
    delete body[name]
  }
  return taken
}

/**
 * Checks that the members agree with the record as it is after the request.
 * @param result the record; in its partial form, missing members are not checked
 * @throws ServiceError `validation_error` that names the first member with another value
 */
export function requireUnchanged(members: UnchangedMembers, result: object): void {
  const record: Readonly<Record<string, unknown>> = { ...result }
  const isPartial = record['created_time'] === undefined
  for (const [name, value] of Object.entries(members))
    if (!isPartial || name in record) requireSame(`body.${name}`, value, record[name], name === 'parent')
}

/** @param isPartOf whether the written object may have only some of the record's members, other than `type` */
function requireSame(path: string, written: unknown, read: unknown, isPartOf: boolean): void {
  if (isPartOf && isObject(written) && isObject(read)) {
    for (const [key, value] of Object.entries(written)) if (key !== 'type') requireSame(`${path}.${key}`, value, read[key], false)
  } else if (!isSame(written, read)) throw otherValue(path, written, read)
}

function isSame(written: unknown, read: unknown): boolean {
  if (typeof written === 'string' && typeof read === 'string') return oneSpelling(written) === oneSpelling(read)
  return canonicalJson(written) === canonicalJson(read)
}

function otherValue(path: string, written: unknown, read: unknown): ServiceError {
  return validationError(path, read === undefined ? 'not present' : `\`${JSON.stringify(read)}\``, written)
}
