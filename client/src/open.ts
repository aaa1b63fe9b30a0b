import { parseResponse, readResponseText, unreadable, noResponseError } from './responses.ts'
import { WorkspaceServiceError } from './errors.ts'
import type { Prepared } from './prepare.ts'

export const EVENT_STREAM = 'text/event-stream'

/** A response whose body is a stream of events. */
export interface OpenStream {
  readonly body: ReadableStream<Uint8Array>
  readonly requestId: string | undefined
  /** Ends the connection, so that pending reads reject. Has no effect once it has ended. */
  close(): void
}

/** Opens a stream. The timeout applies only until the headers arrive. */
export async function open(prepared: Prepared): Promise<OpenStream | WorkspaceServiceError> {
  const { numbers, requestIdHeader } = prepared
  const connection = connectionUnder(prepared.signal)
  let hasTimedOut = false
  const timer = setTimeout(() => {
    hasTimedOut = true
    connection.close()
  }, numbers.timeout)
  try {
    const response = await prepared.send(prepared.request(connection.signal))
    if (isStream(response) && response.body)
      return { body: response.body, requestId: response.headers.get(requestIdHeader) ?? undefined, close: connection.close }
    const text = await readResponseText(prepared, response)
    connection.close()
    if (typeof text !== 'string') return text
    const outcome = parseResponse(prepared, response, text)
    return outcome instanceof WorkspaceServiceError ? outcome : unreadable(prepared, response, text)
  } catch (error) {
    connection.close()
    return noResponseError(prepared, error, hasTimedOut)
  } finally {
    clearTimeout(timer)
  }
}

function isStream({ status, headers }: Response): boolean {
  return status === 200 && headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() === EVENT_STREAM
}

/** A connection that the caller's signal can end. A longer-lived signal would retain `AbortSignal.any`. */
function connectionUnder(signal: AbortSignal | undefined): { readonly signal: AbortSignal; close(): void } {
  const own = new AbortController()
  const close = (): void => {
    signal?.removeEventListener('abort', close)
    own.abort()
  }
  signal?.addEventListener('abort', close)
  return { signal: own.signal, close }
}
