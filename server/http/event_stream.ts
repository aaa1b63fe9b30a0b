import type { Response } from 'express'
import type { SessionStreamFrame } from '../../generated/types.ts'
import { mayFollow, openStream, type Follower } from '../domain/agents/index.ts'
import { EVENT_STREAM_TYPE } from './accept_header.ts'
import type { Dependencies } from './dependencies.ts'
import type { StreamStart } from './http_context.ts'

/**
 * Responds with a stream of server-sent events and returns once its first frame has been written. From then on, the request no longer
 * counts as in flight.
 * @throws ServiceError before anything has been sent
 */
export async function sendEventStream(
  deps: Dependencies,
  response: Response,
  { actor, follow, reauthorize }: StreamStart,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { snapshot, follower } = await openStream(deps, actor, follow)
  // A response that is already closed never emits the `close` event on which the follower is closed below.
  if (response.destroyed) return follower.close()
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('Content-Type', EVENT_STREAM_TYPE)
  response.statusCode = 200
  const closed = next(response, 'close')
  // Writing to a lost connection causes an error, which the `close` event reports as well.
  response.on('error', () => undefined)
  const timers = startTimers(deps, response, follower, { sessionId: follow.sessionId, reauthorize })
  void closed.then(() => {
    timers.stop()
    follower.close()
  })
  response.write(frameText({ type: 'session.snapshot', session: snapshot }))
  deps.admission.trackStream(response)
  deps.streams.add(response, () => {
    follower.end(stopping(follow.sessionId))
    return closed
  })
  void pump(response, follower, snapshot.status, closed)
}

function next(response: Response, event: 'close' | 'drain'): Promise<void> {
  return new Promise((resolve) => response.once(event, () => resolve()))
}

/** Writes frames as fast as the client reads them. */
async function pump(
  response: Response,
  follower: Follower,
  status: Parameters<Follower['frames']>[0],
  closed: Promise<void>,
): Promise<void> {
  try {
    for await (const frame of follower.frames(status)) {
      if (response.write(frameText(frame))) continue
      await Promise.race([next(response, 'drain'), closed])
    }
    response.end()
  } catch {
    response.end(frameText(follower.failure()))
  }
}

/**
 * Sends heartbeats and ends the stream at its time limit. The client's rights are checked at each heartbeat rather than for each frame, so
 * that their cost does not depend on the number of frames.
 */
function startTimers(
  { database, streamLimits: { secondsMax, heartbeatSeconds } }: Dependencies,
  response: Response,
  follower: Follower,
  { sessionId, reauthorize }: Pick<StreamStart, 'reauthorize'> & { readonly sessionId: string },
): { stop(): void } {
  let isChecking = false
  const checkRights = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    if (!(await mayFollow(database, reauthorize, sessionId))) follower.refuse()
    isChecking = false
  }
  const heartbeat = setInterval(() => {
    void checkRights()
    // A client that has not read all frames needs no heartbeat, and none may follow the last frame.
    if (!response.writableNeedDrain && !response.writableEnded) response.write(HEARTBEAT)
  }, heartbeatSeconds * 1000)
  const message = `The stream has reached its limit of ${secondsMax} seconds. Follow the session with continue_from.`
  const end = setTimeout(() => follower.end({ type: 'stream.timeout', session_id: sessionId, message }), secondsMax * 1000)
  return {
    stop() {
      clearInterval(heartbeat)
      clearTimeout(end)
    },
  }
}

const HEARTBEAT = ':\n\n'

function frameText(frame: SessionStreamFrame): string {
  return `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`
}

function stopping(sessionId: string): SessionStreamFrame {
  const error = {
    code: 'service_unavailable',
    message: 'The service is stopping. Follow the session again.',
    retryable: true,
  } as const
  return { type: 'stream.error', error, session_id: sessionId }
}
