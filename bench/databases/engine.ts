/** Where databases of one engine are kept between runs. */
export interface Engine {
  readonly name: 'sqlite' | 'postgresql'
  /** Deletes databases with an older schema or older content. */
  forgetAllBut(keys: readonly string[]): Promise<void>
  /** @returns the `DATABASE_URL` of a database that does not exist yet */
  create(key: string): Promise<string>
  /** Called after its server has stopped. From then on the database is only copied. */
  keep(key: string): Promise<void>
  has(key: string): Promise<boolean>
  /** Makes another copy for this run. @returns its `DATABASE_URL` */
  copy(key: string): Promise<string>
  /** Shares only this page with the demo connection; undefined shares the whole workspace again. */
  share(url: string, page: string | undefined): Promise<void>
  /** Bytes in the engine's log since an arbitrary start; only differences are meaningful. */
  bytesWritten(url: string): Promise<number>
  /** Bytes of a database with its indexes, once its log is written back. */
  bytesStored(url: string): Promise<number>
  /** Processor time of the engine's own processes so far; 0 if it has none, undefined if the system does not report it. */
  processorSeconds(): number | undefined
  dropCopies(): Promise<void>
  stop(): Promise<void>
}
