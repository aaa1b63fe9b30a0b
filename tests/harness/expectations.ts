import { expect } from 'vitest'
import type { TestResponse } from './responses.ts'

/**
 * Expects an error response.
 * @param location required part of the message: a whole dotted path, or words
 */
export function expectError(response: TestResponse, status: number, code: string, location?: string): void {
  expect({ status: response.status, code: response.body['code'], message: response.body['message'] }).toMatchObject({
    status,
    code,
  })
  if (location !== undefined) expect(response.body['message']).toMatch(wholePath(location))
}

/** Expects 400 `validation_error` with a path. */
export function expectInvalid(response: TestResponse, location: string): void {
  expectError(response, 400, 'validation_error', location)
}

/** Matches the path itself, not a longer path that begins or ends with it. */
function wholePath(location: string): RegExp {
  return new RegExp(`(?<![\\w.\\]])${location.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w[]|\\.\\w)`)
}

export function expectNotFound(response: TestResponse, id: string): void {
  expectError(response, 404, 'object_not_found', id)
}
