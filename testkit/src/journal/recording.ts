import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { contextOf } from '@workspace-service/server/http/contexts.ts'
import type { Request, Response } from '@workspace-service/server/http/interceptor.ts'
import { maskNamed, maskText } from '@workspace-service/server/kernel/masking.ts'
import type { FaultRule } from '@workspace-service/server/faults/fault_rule.ts'
import type { CapturedBody } from './captured_body.ts'
import type { Check, JournalEntry, Refusal } from './journal_entry.ts'

/** A request that is being recorded. */
export interface Recording {
  readonly request: Request
  readonly response: Response
  readonly target: string
  readonly sent: CapturedBody
  readonly received: CapturedBody
  readonly faults: FaultRule[]
  readonly startedTime: Date
  reached: Exclude<Check, 'fault'>
  endedTime: Date | undefined
}

/** The entry of a request in its current state. */
export function entryOf(recording: Recording): JournalEntry {
  const { request, response, target, sent, received, faults, startedTime } = recording
  const context = contextOf(response)
  const [path = '', ...rest] = target.split('?')
  const operation = context?.operationLabel ?? 'unknown'
  const responseHeaders = textsOf(response.getHeaders())
  return {
    operation,
    method: request.method,
    path: maskText(path),
    query: Object.fromEntries(
      [...new URLSearchParams(rest.join('?'))].map(([name, value]) => [maskText(name), maskNamed(name, value)]),
    ),
    headers: textsOf(request.headers),
    body: sent.read(request.headers['content-type'], operation),
    bodyBytes: sent.byteLength,
    response: {
      status: response.headersSent ? response.statusCode : undefined,
      headers: responseHeaders,
      body: received.read(responseHeaders['content-type']),
      bodyBytes: received.byteLength,
    },
    refusal: refusalOf(recording),
    faults: [...faults],
    requestId: context?.requestId,
    startedTime,
    milliseconds: (recording.endedTime ?? new Date()).getTime() - startedTime.getTime(),
  }
}

function refusalOf({ response, reached, faults }: Recording): Refusal | undefined {
  const failure = contextOf(response)?.failure
  if (!failure) return undefined
  const { code, message, complaints = [] } = failure
  const isByRule = faults.some((rule) => rule.code === code || rule.drop === 'before' || rule.sunset !== undefined)
  return { check: isByRule ? 'fault' : reached, code, message: maskText(message), paths: complaints.map(({ path }) => path) }
}

function textsOf(headers: IncomingHttpHeaders | OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, maskNamed(name, [value ?? ''].flat().map(String).join(', '))]),
  )
}
