/** Where databases of one engine are kept between runs. */
export interface Engine {
  readonly name: 'sqlite' | 'postgresql'
  /** Takes away what an earlier release of the schema or of the content left. */
  forgetAllBut(keys: readonly string[]): Promise<void>
  /** @returns what `DATABASE_URL` takes, for a database that does not exist yet */
  create(key: string): Promise<string>
  /** Closed by its server: from now on it is only copied. */
  keep(key: string): Promise<void>
  has(key: string): Promise<boolean>
  /** A copy for one run. @returns what `DATABASE_URL` takes */
  copy(key: string): Promise<string>
  /** Shares this page, and nothing else, with the demo connection; undefined shares the whole workspace again. */
  share(url: string, page: string | undefined): Promise<void>
  /** Bytes in the log of the engine since some moment: of use are differences. */
  bytesWritten(url: string): Promise<number>
  dropCopies(): Promise<void>
  stop(): Promise<void>
}
