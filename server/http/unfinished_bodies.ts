import { ServiceError } from '../kernel/errors.ts'
import type { Request } from 'express'
import { PaceWatch, type Pace, type Paced } from './pace.ts'
import { SharedRoom, type Guest, type RoomLimits, type Sender } from './shared_room.ts'

/** Tells that more bytes of a body are held in memory. */
export type Grew = (bytes: number) => void

type Body = Guest & Paced

/** Bodies that have begun and not ended. They share their room, and each has to keep a pace. */
export class UnfinishedBodies {
  readonly #room: SharedRoom<Body>
  readonly #watch: PaceWatch
  readonly #pace: Pace
  readonly #overload: () => ServiceError

  /** @param overload what those are told whose room others need */
  constructor(limits: RoomLimits, pace: Pace, overload: () => ServiceError) {
    this.#room = new SharedRoom(limits)
    this.#watch = new PaceWatch(pace)
    this.#pace = pace
    this.#overload = overload
  }

  get size(): number {
    return this.#room.size
  }

  /**
   * Waits for a body. Once it has been given up, reading goes on unheard until the answer, which says so, closes the connection.
   * @throws ServiceError `service_overload` when others need its room, `invalid_request` when it comes too slowly; and what `read` throws
   */
  receive<T>(request: Request, sender: Sender, read: (grew: Grew) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // What came while the request was looked at waits to be read.
      const bytesReadBefore = request.socket.bytesRead - request.readableLength
      const giveUp = (error: ServiceError): void => {
        this.#forget(body)
        reject(error)
      }
      const body: Body = {
        ...sender,
        bytesHeld: 0,
        waitedMs: 0,
        isWaiting: () => !request.isPaused(),
        bytesMoved: () => request.socket.bytesRead - bytesReadBefore,
        cut: () => giveUp(this.#overload()),
        tooSlow: () => giveUp(this.#tooSlow()),
      }
      this.#watch.add(body)
      this.#room.add(body)
      read((bytes) => this.#room.grow(body, bytes))
        .finally(() => this.#forget(body))
        .then(resolve, reject)
    })
  }

  #forget(body: Body): void {
    this.#room.remove(body)
    this.#watch.remove(body)
  }

  #tooSlow(): ServiceError {
    const { graceSeconds, bytesPerSecondMin } = this.#pace
    return new ServiceError('invalid_request', {
      message: `The body of this request did not arrive in time: it may take ${graceSeconds} seconds, and one more for each ${bytesPerSecondMin} bytes.`,
      headers: { Connection: 'close' },
    })
  }
}
