import type { Response } from 'express'
import { PaceWatch, type Pace, type Paced } from './pace.ts'
import { SharedRoom, type Guest, type RoomLimits, type Sender } from './shared_room.ts'

type Answer = Guest & Paced

/**
 * Answers that are made and that their callers have not taken. They share their room, and each has to be taken at a pace. One that has
 * to go takes its connection with it: half an answer is none.
 */
export class UnsentAnswers {
  readonly #room: SharedRoom<Answer>
  readonly #watch: PaceWatch

  constructor(limits: RoomLimits, pace: Pace) {
    this.#room = new SharedRoom(limits)
    this.#watch = new PaceWatch(pace)
  }

  get size(): number {
    return this.#room.size
  }

  /** @param bytesHeld what is held of it in memory until it is taken */
  add(response: Response, taker: Sender, bytesHeld: number): void {
    const answer = this.#watchOver(response, taker, bytesHeld)
    response.once('close', () => this.#room.remove(answer))
    this.#room.add(answer)
  }

  /** A stream may last as long as it is taken at the pace, however many there are. */
  addStream(response: Response, taker: Sender): void {
    this.#watchOver(response, taker, 0)
  }

  #watchOver(response: Response, taker: Sender, bytesHeld: number): Answer {
    let before: number | undefined
    const bytesMoved = (): number => {
      const { socket } = response
      if (!socket) return 0
      before ??= socket.bytesWritten - response.writableLength
      return socket.bytesWritten - before
    }
    const cut = (): void => {
      this.#room.remove(answer)
      this.#watch.remove(answer)
      response.req.socket.destroy()
    }
    const answer: Answer = {
      ...taker,
      bytesHeld,
      waitedMs: 0,
      // Behind another answer on its connection it waits for that one; with nothing to take, for us.
      isWaiting: () => response.socket !== null && response.writableLength > 0,
      bytesMoved,
      cut,
      tooSlow: cut,
    }
    bytesMoved()
    this.#watch.add(answer)
    response.once('close', () => this.#watch.remove(answer))
    return answer
  }
}
