import type { Machine } from './machine.ts'
import type { DeliveryResults } from './measures/deliveries.ts'
import type { DiskFigures } from './measures/disk.ts'
import type { EditFigures } from './measures/edits.ts'
import type { KitFigures } from './measures/kit.ts'
import type { MarkdownFigures } from './measures/markdown.ts'
import type { MockFigures } from './measures/mock.ts'
import type { BenchOperation } from './measures/operations.ts'
import type { PeerFigures } from './measures/peers.ts'
import type { QueryFigures } from './measures/queries.ts'
import type { SeriesFigures } from './measures/series.ts'
import type { SoakFigures } from './measures/soak.ts'
import type { StartFigures } from './measures/starts.ts'
import type { StreamFigures } from './measures/streams.ts'
import type { ValidationFigures } from './measures/validation.ts'
import type { WorkerFigures } from './measures/workers.ts'

/** The results of a run. */
export interface Results {
  readonly machine: Machine
  readonly quick: boolean
  readonly series: Readonly<Partial<Record<BenchOperation, readonly SeriesFigures[]>>>
  /** Searches, by caller and query. */
  readonly searches: readonly SeriesFigures[]
  /** Queries of large data sources; undefined if not requested. */
  readonly queries: QueryFigures | undefined
  /** Writes with and without subscriptions. */
  readonly events: readonly SeriesFigures[]
  /** Events that are actually delivered; undefined if not requested. */
  readonly deliveries: DeliveryResults | undefined
  readonly starts: readonly StartFigures[]
  /** Open event streams of one process; undefined if not requested. */
  readonly streams: StreamFigures | undefined
  readonly markdown: MarkdownFigures | undefined
  /** Changes of a long page; empty if not requested. */
  readonly edits: readonly EditFigures[]
  readonly kit: KitFigures | undefined
  readonly mock: MockFigures | undefined
  /** By engine; empty if not requested. */
  readonly disk: readonly DiskFigures[]
  /** Empty if not requested. */
  readonly workers: readonly WorkerFigures[]
  /** Undefined if not requested or not available. */
  readonly peers: PeerFigures | undefined
  readonly validation: ValidationFigures | undefined
  readonly soaks: readonly SoakFigures[]
  /** Measured when the run's last load has ended. */
  readonly memory: readonly { readonly label: string; readonly residentBytes: number }[]
}
