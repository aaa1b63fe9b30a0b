import type { Request, Response } from 'express'
import { signedInSession, type Session } from '../../domain/people/sessions.ts'
import type { Database } from '../../domain/database.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { receiveBytes, mediaTypeOf } from '../body.ts'
import { FORM_TYPE, parseForm, type FormFields } from './body.ts'
import { findCookie } from './cookies.ts'

/** Whether cookies travel by HTTPS alone: when people reach the service by it. */
export function isSecureSite(baseUrl: string): boolean {
  return baseUrl.startsWith('https:')
}

/** Who is signed in with the browser that sent this request. */
export function sessionOf(database: Database, request: Request, baseUrl: string, now: number): Promise<Session | undefined> {
  const secret = findCookie(request, 'session', isSecureSite(baseUrl))
  return secret === undefined ? Promise.resolve(undefined) : database.read((db) => signedInSession(db, secret, now))
}

const FAULTS_OF_FORMS: ReadonlySet<string> = new Set(['validation_error', 'invalid_json'])

/**
 * The fields of a form that a browser sent; another kind of body has none.
 * @throws ServiceError `validation_error` for a form that is too large, `invalid_json` for one that cannot be read, `invalid_request` for
 * one that came too slowly
 */
export async function receiveFormFields(request: Request, response: Response): Promise<FormFields> {
  const bytes = await receiveBytes(request, response).catch((thrown: unknown) => {
    // What is too slow or in the way of others is told as it is.
    if (!(thrown instanceof ServiceError) || !FAULTS_OF_FORMS.has(thrown.code)) throw thrown
    const message = 'This form is too large, or did not arrive as it was sent. Go back and try again.'
    throw new ServiceError(thrown.code, { message, cause: thrown })
  })
  return bytes === undefined || mediaTypeOf(request) !== FORM_TYPE ? new Map() : parseForm(bytes.toString('utf8'))
}

/** The one value of a field; undefined when it is missing or stands more than once. */
export function fieldOf(fields: FormFields, name: string): string | undefined {
  const [value, ...more] = fields.get(name) ?? []
  return more.length === 0 ? value : undefined
}
