/** Where the data is: a file (or memory) of the embedded engine, or a PostgreSQL server. */
export type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgresql'; readonly url: string }

/** Where files are kept. */
export type FilesAddress =
  | { readonly kind: 'folder'; readonly path: string }
  /** A folder of this process alone, gone when it stops. */
  | { readonly kind: 'temporary' }
  | ({ readonly kind: 's3' } & Bucket)

/** A bucket of an S3-compatible service. */
export interface Bucket {
  readonly bucket: string
  /** What names begin with; empty or with a slash at its end. */
  readonly prefix: string
  /** Undefined for the vendor's own service. */
  readonly endpoint: string | undefined
  readonly region: string
  /** Undefined where the machine provides them: `AWS_ACCESS_KEY_ID` and what else the vendor's client looks for. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

/** A service that speaks the protocol of chat completions. */
export interface ModelEndpoint {
  /** What `/chat/completions` stands behind, without a slash at its end. */
  readonly url: string
  /** Remote names of its models, by their public names; the first is the one for `auto`. Never empty. */
  readonly models: ReadonlyMap<string, string>
  readonly key: string | undefined
  /** Sent with every request. They may be secret too. */
  readonly headers: Readonly<Record<string, string>>
  /** How long one call may take, its whole answer included. */
  readonly secondsMax: number
}

/** A service that makes text of recordings. */
export interface TranscriptionEndpoint {
  readonly url: string
  readonly key: string | undefined
}
