import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { exchangeOf, type Subject } from '../../http/exchange.ts'
import type { Request, Response } from '../../http/interceptor.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { REDACTED, scrub, secretNames } from '../../log.ts'
import type { FaultRule } from '../faults/fault_rule.ts'
import type { CapturedBody } from './captured_body.ts'

/** Where a request was refused: by its address, by who sent it (token, version, budget), by what it says, or by a rule of the test. */
export type Check = 'address' | 'caller' | 'content' | 'fault'

/** Why a request was refused. */
export interface Refusal {
  readonly check: Check
  readonly code: string
  readonly message: string
  /** The places of the request that were wrong, such as `body.parent.page_id`. */
  readonly paths: readonly string[]
}

/** A request and its answer, without secrets. */
export interface JournalEntry {
  /** The operation, or what else was asked for. */
  readonly operation: Subject
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** JSON as its value, another text as it came; undefined for files, and where there is none. */
  readonly body: unknown
  readonly bodyBytes: number
  /** As far as it has gone out. */
  readonly answer: {
    /** Undefined before there is one, and where the connection was broken first. */
    readonly status: number | undefined
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
    readonly bodyBytes: number
  }
  /** Undefined for what was carried out. */
  readonly refusal: Refusal | undefined
  /** The rules that acted on it. */
  readonly faults: readonly FaultRule[]
  readonly requestId: string | undefined
  /** By the clock of the machine. */
  readonly startedTime: Date
  readonly milliseconds: number
}

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
    operation: exchange?.subject ?? 'unknown',
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
