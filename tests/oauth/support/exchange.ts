import { expect } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { RETURN_URI, type OAuthClient } from '../../harness/oauth.ts'

/** A second redirect URI. */
export const SECOND_URI = 'https://planner.example/second'

/** @param location path in the message */
export function expectOAuthError(response: TestResponse, status: number, error: string, location?: string): void {
  expect({ status: response.status, error: response.body['error'], code: response.body['code'] }, response.text).toStrictEqual({
    status,
    error,
    code: error,
  })
  expect(response.body['error_description']).toBe(response.body['message'])
  expect(response.body['object']).toBe('error')
  if (location !== undefined) expect(response.body['message']).toContain(location)
}

export function exchange(of: OAuthClient, code: string, more: object = { redirect_uri: RETURN_URI }): Promise<TestResponse> {
  return of.call('createToken', { grant_type: 'authorization_code', code, ...more })
}
