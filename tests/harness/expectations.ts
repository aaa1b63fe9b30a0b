import { expect } from 'vitest'
import type { Answer } from './answers.ts'

/**
 * An error answer of the contract.
 * @param place what the message must point at: a whole dotted path, or words
 */
export function expectError(answer: Answer, status: number, code: string, place?: string): void {
  expect({ status: answer.status, code: answer.body['code'], message: answer.body['message'] }).toMatchObject({ status, code })
  if (place !== undefined) expect(answer.body['message']).toMatch(wholePath(place))
}

/** 400 `validation_error` at a place. */
export function expectInvalid(answer: Answer, place: string): void {
  expectError(answer, 400, 'validation_error', place)
}

/** The path itself, not one that merely begins or ends with it. */
function wholePath(place: string): RegExp {
  return new RegExp(`(?<![\\w.\\]])${place.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w[]|\\.\\w)`)
}

export function expectNotFound(answer: Answer, id: string): void {
  expectError(answer, 404, 'object_not_found', id)
}
