import type { Request, Response } from 'express'
import { signedInSession, type Session } from '../../domain/people/index.ts'
import type { Database } from '../../domain/shared/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { receiveBytes, mediaTypeOf } from '../json_body.ts'
import { FORM_TYPE, parseForm, type FormFields } from './oauth_body.ts'
import { findCookie } from './cookies.ts'

/** Whether people reach the service over HTTPS, so that its cookies can be restricted to HTTPS. */
export function isSecureSite(baseUrl: string): boolean {
  return baseUrl.startsWith('https:')
}

/** The session of the browser that sent a request; undefined if nobody is signed in. */
export async function sessionOf(
  database: Database,
  request: Request,
  baseUrl: string,
  now: number,
): Promise<Session | undefined> {
  const secret = findCookie(request, 'session', isSecureSite(baseUrl))
  return secret === undefined ? undefined : database.read((db) => signedInSession(db, secret, now))
}

/** The codes of errors whose messages mention JSON. */
const CODES_OF_FORM_ERRORS: ReadonlySet<string> = new Set(['validation_error', 'invalid_json'])

/**
 * Receives the fields of a form from a browser; a body of another media type counts as a form without fields.
 * @throws ServiceError `validation_error` if the form is too large, `invalid_json` if it is malformed, `invalid_request` if it arrives too
 * slowly; or `service_overload`
 */
export async function receiveFormFields(request: Request, response: Response): Promise<FormFields> {
  const bytes = await receiveBytes(request, response).catch((thrown: unknown) => {
    if (!(thrown instanceof ServiceError) || !CODES_OF_FORM_ERRORS.has(thrown.code)) throw thrown
    const message = 'This form is too large, or was damaged on the way. Go back and try again.'
    throw new ServiceError(thrown.code, { message, cause: thrown })
  })
  return bytes === undefined || mediaTypeOf(request) !== FORM_TYPE ? new Map() : parseForm(bytes.toString('utf8'))
}

/** The fields as a JSON object. @param lists the names of fields whose value is always a list */
export function fieldsObject(fields: FormFields, lists: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 && !lists.includes(name) ? values[0] : values]),
  )
}

/** The value of a field; undefined if it is missing or repeated. */
export function fieldOf(fields: FormFields, name: string): string | undefined {
  const [value, ...more] = fields.get(name) ?? []
  return more.length === 0 ? value : undefined
}
