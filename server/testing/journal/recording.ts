import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { exchangeOf } from '../../http/exchanges.ts'
import type { Request, Response } from '../../http/interceptor.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { REDACTED, scrub, secretNames } from '../../log.ts'
import type { FaultRule } from '../faults/fault_rule.ts'
import type { CapturedBody } from './captured_body.ts'
import type { Check, JournalEntry, Refusal } from './journal_entry.ts'

/** A request under way. */
export interface Recording {
  readonly request: Request
  readonly response: Response
  readonly target: string
  readonly sent: CapturedBody
  readonly answered: CapturedBody
  readonly faults: FaultRule[]
  readonly startedTime: Date
  reached: Exclude<Check, 'fault'>
  endedTime: Date | undefined
}

export function entryOf(recording: Recording): JournalEntry {
  const { request, response, target, sent, answered, faults, startedTime } = recording
  const exchange = exchangeOf(response)
  const [path = '', query = ''] = scrub(target).split('?', 2)
  const answerHeaders = textsOf(response.getHeaders())
  return {
    operation: exchange?.operationLabel ?? 'unknown',
    method: request.method,
    path,
    query: Object.fromEntries([...new URLSearchParams(query)].map(([name, value]) => [name, masked(name, value)])),
    headers: textsOf(request.headers),
    body: sent.read(request.headers['content-type']),
    bodyBytes: sent.byteLength,
    answer: {
      status: response.headersSent ? response.statusCode : undefined,
      headers: answerHeaders,
      body: answered.read(answerHeaders['content-type']),
      bodyBytes: answered.byteLength,
    },
    refusal: refusalOf(recording),
    faults: [...faults],
    requestId: exchange?.requestId,
    startedTime,
    milliseconds: (recording.endedTime ?? new Date()).getTime() - startedTime.getTime(),
  }
}

function refusalOf({ response, reached, faults }: Recording): Refusal | undefined {
  const failure = exchangeOf(response)?.failure
  if (!failure) return undefined
  const { code, message } = failure
  const complaints = failure instanceof ServiceError ? failure.complaints : []
  const isByRule = faults.some((rule) => rule.code === code || rule.drop === 'before' || rule.sunset !== undefined)
  return { check: isByRule ? 'fault' : reached, code, message: scrub(message), paths: complaints.map(({ path }) => path) }
}

function textsOf(headers: IncomingHttpHeaders | OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, masked(name, [value ?? ''].flat().map(String).join(', '))]),
  )
}

function masked(name: string, value: string): string {
  return secretNames.includes(name.toLowerCase()) ? REDACTED : scrub(value)
}
