/** Where databases of one engine are kept between runs. */
export interface Engine {
  readonly name: 'sqlite' | 'postgresql'
  /** Deletes databases with an older schema or older content. */
  forgetAllBut(keys: readonly string[]): Promise<void>
  /** @returns the `DATABASE_URL` of a database that does not exist yet */
  create(key: string): Promise<string>
  /** Called after its server has stopped: from now on the database is only copied. */
  keep(key: string): Promise<void>
  has(key: string): Promise<boolean>
  /** Makes another copy for this run. @returns its `DATABASE_URL` */
  copy(key: string): Promise<string>
  /** Shares this page, and nothing else, with the demo connection; undefined shares the whole workspace again. */
  share(url: string, page: string | undefined): Promise<void>
  /** Bytes in the engine's log since some point in time; only differences are meaningful. */
  bytesWritten(url: string): Promise<number>
  /** Bytes of everything in a database, with its indexes, once its log is written back. */
  bytesStored(url: string): Promise<number>
  /** Processor time of the engine's own processes so far; 0 where it has none, undefined if the system does not report it. */
  processorSeconds(): number | undefined
  dropCopies(): Promise<void>
  stop(): Promise<void>
}
