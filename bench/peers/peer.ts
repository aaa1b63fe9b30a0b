import type { WireRequest } from '../load/job.ts'
import type { Running } from '../processes/launch.ts'

/** Another server that people use to store records during development, filled with as many records as this service. */
export interface Peer {
  readonly name: string
  /** Guarantees of its responses. */
  readonly does: Readonly<Record<PeerTrait, string>>
  readonly running: Running
  /** Lists of requests by operation: one for each peer, or two if its requests differ from those of other peers. */
  readonly requests: Readonly<Record<PeerOperation, PeerRequests>>
  stop(): Promise<void>
}

export type PeerOperation = 'get' | 'list' | 'create'
export type PeerTrait = 'checks' | 'writes' | 'flushes'

/**
 * @param round 0 is for warming up
 * @param count maximum number of requests in one round
 */
export type PeerRequests = (round: number, count: number) => readonly WireRequest[]

/** A peer that is not available on this machine. */
export interface MissingPeer {
  readonly name: string
  readonly why: string
}

export interface PeerRecord {
  readonly parent: string
  readonly position: number
  readonly type: string
  /** The rest of the block, as in responses of the service. */
  readonly content: object
}

/** Content of every peer: the blocks of the service's own database. */
export interface PeerContent {
  readonly records: readonly PeerRecord[]
  /** The id of the parent of a hundred records. */
  readonly listed: string
}

export const LISTED = 100
