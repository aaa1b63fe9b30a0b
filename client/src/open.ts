import type { CallAttempt } from './call_attempt.ts'
import { attemptSignal } from './attempt_signal.ts'
import { exchange } from './exchange.ts'
import type { FetchClient } from './fetch.ts'
import type { AttemptDetails } from './attempt_details.ts'
import { readResponseBody, unreadable } from './responses.ts'

export const EVENT_STREAM = 'text/event-stream'

/** A response whose body is a stream of events. */
export interface OpenStream {
  readonly body: ReadableStream<Uint8Array>
  readonly request: AttemptDetails
  readonly requestId: string | undefined
  /** Ends the connection, so that pending reads reject. Has no effect once it has ended. */
  close(): void
}

/** Opens a stream. The timeout applies only until the headers arrive. */
export async function open(core: FetchClient, attempt: CallAttempt): Promise<OpenStream> {
  const connection = attemptSignal(attempt)
  try {
    const response = await exchange(core, attempt, connection.signal)
    if (!isStream(response) || !response.body) throw unreadable(attempt, response, await readResponseBody(attempt, response))
    connection.stopTimer()
    const requestId = response.headers.get(attempt.prepared.requestIdHeader) ?? undefined
    return { body: response.body, request: attempt.details, requestId, close: connection.close }
  } catch (error) {
    connection.close()
    throw error
  }
}

function isStream({ status, headers }: Response): boolean {
  return status === 200 && headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() === EVENT_STREAM
}
