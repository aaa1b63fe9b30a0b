import { expect } from 'vitest'
import type { Answer } from '../../harness/answers.ts'
import { RETURN_URI, type OAuthClient } from '../../harness/oauth.ts'

/** Another address that a connection may return to. */
export const SECOND_URI = 'https://planner.example/second'

/** @param place what the message names */
export function expectOAuthError(answer: Answer, status: number, error: string, place?: string): void {
  expect({ status: answer.status, error: answer.body['error'], code: answer.body['code'] }, answer.text).toStrictEqual({
    status,
    error,
    code: error,
  })
  expect(answer.body['error_description']).toBe(answer.body['message'])
  expect(answer.body['object']).toBe('error')
  if (place !== undefined) expect(answer.body['message']).toContain(place)
}

/** Exchanges a code for tokens. */
export function exchange(of: OAuthClient, code: string, more: object = { redirect_uri: RETURN_URI }): Promise<Answer> {
  return of.call('createToken', { grant_type: 'authorization_code', code, ...more })
}
