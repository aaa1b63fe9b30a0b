import type { WireRequest } from '../load/job.ts'
import type { Running } from '../processes/launch.ts'

/** Another server that people keep records in while they build something, filled with as many as this service has. */
export interface Peer {
  readonly name: string
  /** What an answer of it stands for. */
  readonly does: Readonly<Record<PeerTrait, string>>
  readonly running: Running
  /** Requests by operation. One list for each peer, except where two of its requests compare with one of the others. */
  readonly requests: Readonly<Record<PeerOperation, PeerRequests>>
  stop(): Promise<void>
}

export type PeerOperation = 'get' | 'list' | 'create'
export type PeerTrait = 'checks' | 'writes' | 'flushes'

/** @param round 0 is for warming up @param count how many requests one round takes at most */
export type PeerRequests = (round: number, count: number) => readonly WireRequest[]

/** A peer that this machine does not have. */
export interface MissingPeer {
  readonly name: string
  readonly why: string
}

/** A record that every peer gets. */
export interface PeerRecord {
  readonly parent: string
  readonly position: number
  readonly type: string
  /** The rest of the block, as the service answers it. */
  readonly content: object
}

/** What every peer is filled with: the blocks of the service's own database. */
export interface PeerContent {
  readonly records: readonly PeerRecord[]
  /** The parent of a hundred of them. */
  readonly listed: string
}

export const LISTED = 100
