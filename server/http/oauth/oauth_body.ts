import type { Request, Response } from 'express'
import { OAuthError } from '../../kernel/oauth_error.ts'
import { mediaTypeOf, parseJsonObject, receiveBytes, requireJsonContentType } from '../json_body.ts'
import type { JsonObject } from '../../versions/index.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Every value of every field, in the order of the form. Fields without a value count as omitted (RFC 6749, 3.2). */
export type FormFields = ReadonlyMap<string, readonly string[]>

/**
 * Receives and parses the body of an OAuth client: JSON, or a form with the same fields. A missing body counts as `{}`.
 * @throws OAuthError `invalid_request` for another media type or a repeated field; ServiceError as `receiveJsonBody`
 */
export async function receiveOAuthBody(request: Request, response: Response): Promise<JsonObject> {
  const bytes = await receiveBytes(request, response)
  if (bytes === undefined || (bytes.length === 0 && mediaTypeOf(request) === '')) return {}
  if (mediaTypeOf(request) === FORM_TYPE) return fromForm(parseForm(bytes.toString('utf8')))
  if (mediaTypeOf(request) === 'application/json') {
    requireJsonContentType(request)
    return parseJsonObject(bytes)
  }
  throw new OAuthError('invalid_request', { message: `The body should be sent as application/json or ${FORM_TYPE}.` })
}

/** Parses the fields of an urlencoded form, or the parameters of a query string. */
export function parseForm(text: string): FormFields {
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (value !== '') fields.set(name, [...(fields.get(name) ?? []), value])
  }
  return fields
}

const MEMBER = /^(\w+)\[(\w+)\]$/

/** The object that a form represents. A field `name[key]` stands for a member of an object. @throws OAuthError for a repeated field */
function fromForm(fields: FormFields): JsonObject {
  const body: JsonObject = Object.create(null)
  for (const [name, [value, ...more]] of fields) {
    if (more.length > 0) throw new OAuthError('invalid_request', { message: `body.${name.slice(0, 100)} should be given once.` })
    const [, object, key] = MEMBER.exec(name) ?? []
    if (object === undefined || key === undefined) body[name] = value
    else body[object] = { ...objectAt(body, object), [key]: value }
  }
  return body
}

function objectAt(body: JsonObject, name: string): object {
  const value = body[name]
  return typeof value === 'object' && value !== null ? value : {}
}
