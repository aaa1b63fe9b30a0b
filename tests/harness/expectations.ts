import { expect } from 'vitest'
import type { Answer } from './answers.ts'

/**
 * Expects an error answer.
 * @param place what the message must contain: a whole dotted path, or words
 */
export function expectError(answer: Answer, status: number, code: string, place?: string): void {
  expect({ status: answer.status, code: answer.body['code'], message: answer.body['message'] }).toMatchObject({ status, code })
  if (place !== undefined) expect(answer.body['message']).toMatch(wholePath(place))
}

/** Expects 400 `validation_error` with a path. */
export function expectInvalid(answer: Answer, place: string): void {
  expectError(answer, 400, 'validation_error', place)
}

/** Matches the path itself, not a longer path that begins or ends with it. */
function wholePath(place: string): RegExp {
  return new RegExp(`(?<![\\w.\\]])${place.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w[]|\\.\\w)`)
}

export function expectNotFound(answer: Answer, id: string): void {
  expectError(answer, 404, 'object_not_found', id)
}
