import { expect, it } from 'vitest'
import { newestRelease } from '../../../generated/operations.ts'
import { checkExchange } from '../../../conformance/src/check_exchange.ts'
import type { RecordedExchange } from '../../../conformance/src/exchange.ts'
import { publicContract } from '../../harness/contract.ts'

/** The response of `createSession` as a stream. */
function streamed(text: string): RecordedExchange {
  const id = '5c6d2f0e-7f4b-4f0a-9a52-1d0e6b7c8a90'
  const body = { session_id: id, continue_from: '0' }
  return {
    method: 'POST',
    target: '/v1/sessions',
    requestHeaders: {
      authorization: 'Bearer itk_x',
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'service-version': newestRelease,
    },
    requestBody: Buffer.from(JSON.stringify(body)),
    status: 200,
    responseHeaders: { 'content-type': 'text/event-stream', 'service-version': newestRelease, 'x-service-request-id': id },
    responseBody: Buffer.from(text),
  }
}

const bodyFindings = (text: string): string[] =>
  checkExchange(streamed(text))
    .findings.filter(({ rule }) => rule === 'body' || rule === 'media-type')
    .map(({ place: location, keyword }) => `${location} ${keyword}`)

/** All frames in examples of the contract. */
function shownFrames(): unknown[] {
  const { examples } = publicContract().components
  return Object.entries(examples).flatMap(([name, { value }]) => (/^Stream[A-Z]/.test(name) ? [value] : []))
}

it('every frame in the contract is valid with LF and with CRLF', () => {
  const frames = shownFrames().map((frame) => JSON.stringify(frame))
  expect(frames.length).toBeGreaterThan(10)
  expect(bodyFindings(frames.map((frame) => `event: x\ndata: ${frame}\n\n`).join(''))).toEqual([])
  expect(bodyFindings(frames.map((frame) => `data:${frame}\r\n\r\n`).join(`: still here\r\n\r\n`))).toEqual([])
})

it.each([
  ['a frame of an unknown type', '{"type":"stream.finished"}', /^frame/],
  ['a frame that is not JSON', '{"type":', /^frame json$/],
])('the check of an event stream finds %s', (_what, data, finding) => {
  expect(bodyFindings(`data: ${data}\n\n`)).toEqual([expect.stringMatching(finding)])
})

it('the check of an event stream ignores a truncated frame', () => {
  const [first] = shownFrames()
  expect(bodyFindings(`data: ${JSON.stringify(first)}\n\ndata: {"type":`)).toEqual([])
})
