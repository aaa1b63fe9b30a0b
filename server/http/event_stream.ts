import type { Response } from 'express'
import type { SessionStreamFrame } from '../../generated/types.ts'
import type { Actor } from '../domain/actor.ts'
import type { FollowStart } from '../domain/sessions/followed.ts'
import type { Follower } from '../domain/sessions/follower.ts'
import { mayFollow, openStream } from '../domain/sessions/open_stream.ts'
import { EVENT_STREAM_TYPE } from './acceptable.ts'
import type { ChainParts } from './parts.ts'

/** What a caller may follow, and from where. */
export interface StreamStart {
  readonly actor: Actor
  readonly follow: FollowStart
  /** Who the caller is by now. @throws ServiceError when it may not call this any more */
  admit(): Promise<Actor>
}

/**
 * Answers with a stream of server-sent events, which goes on by itself: its request no longer counts as in flight.
 * @throws ServiceError as long as nothing has gone out
 */
export async function sendEventStream(
  parts: ChainParts,
  response: Response,
  { actor, follow, admit }: StreamStart,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { snapshot, follower } = await openStream(parts, actor, follow)
  // The caller may have gone meanwhile; what is closed is not closed again.
  if (response.destroyed) return follower.close()
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('Content-Type', EVENT_STREAM_TYPE)
  response.statusCode = 200
  const closed = next(response, 'close')
  // A frame may meet a connection that has just gone; that it has gone is told by its closing.
  response.on('error', () => undefined)
  const timers = keepTime(parts, response, follower, { sessionId: follow.sessionId, admit })
  void closed.then(() => {
    timers.stop()
    follower.close()
  })
  response.write(frameText({ type: 'session.snapshot', session: snapshot }))
  parts.admission.release(response)
  parts.streams.add(response, () => {
    follower.end(stopping(follow.sessionId))
    return closed
  })
  void pump(response, follower, snapshot.status, closed)
}

function next(response: Response, event: 'close' | 'drain'): Promise<void> {
  return new Promise((resolve) => response.once(event, () => resolve()))
}

/** Frames go out as fast as they are taken. */
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
 * Sends heartbeats, and asks at each whether the reader may still have the stream, which costs the same however many frames there are.
 * Ends the stream when its time is over.
 */
function keepTime(
  { database, streamLimits: { secondsMax, heartbeatSeconds } }: ChainParts,
  response: Response,
  follower: Follower,
  { sessionId, admit }: { readonly sessionId: string; admit(): Promise<Actor> },
): { stop(): void } {
  let isAsking = false
  const ask = async (): Promise<void> => {
    if (isAsking) return
    isAsking = true
    if (!(await mayFollow(database, admit, sessionId))) follower.refuse()
    isAsking = false
  }
  const heartbeat = setInterval(() => {
    void ask()
    // A reader that lags behind needs no heartbeat, and nothing follows the last frame.
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
