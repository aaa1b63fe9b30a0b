/** Where the data is: in a file (or the memory) of the embedded engine, or on a PostgreSQL server, possibly behind a pooler. */
export type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly path: string }
  /** `listenUrl` is the address of the server itself, if `url` is a pooler's. */
  | { readonly engine: 'postgresql'; readonly url: string; readonly listenUrl?: string }

/** Where files are kept. */
export type FilesAddress =
  | { readonly kind: 'folder'; readonly path: string }
  /** A folder of this process only, deleted when it stops. */
  | { readonly kind: 'temporary' }
  | ({ readonly kind: 's3' } & Bucket)

/** A bucket of an S3-compatible service. */
export interface Bucket {
  readonly bucket: string
  /** The prefix of names; empty, or with a slash at its end. */
  readonly prefix: string
  /** Undefined for the vendor's own service. */
  readonly endpoint: string | undefined
  readonly region: string
  /** Undefined if the machine provides the credentials: `AWS_ACCESS_KEY_ID` and others that the vendor's client reads. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

/** A service that speaks the protocol of chat completions. */
export interface ModelEndpoint {
  /** The base address before `/chat/completions`, without a slash at its end. */
  readonly url: string
  /** Remote names of its models, by their public names; the first is the default for `auto`. Never empty. */
  readonly models: ReadonlyMap<string, string>
  readonly key: string | undefined
  /** Headers to send with every request. They may contain secrets as well. */
  readonly headers: Readonly<Record<string, string>>
  /** The time limit of one call, including receiving its whole response. */
  readonly secondsMax: number
}

export interface TranscriptionEndpoint {
  readonly url: string
  readonly key: string | undefined
}
