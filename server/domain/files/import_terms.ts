/** The headers of a file on another host. */
export interface RemoteFile {
  readonly contentType: string | undefined
  /** In bytes; undefined if the host does not send it. */
  readonly contentLength: number | undefined
}

/** Access to files on other hosts. Only public hosts can be reached. */
export interface RemoteFiles {
  /** Requests the headers of a file. @throws RemoteFileError */
  inspect(url: string): Promise<RemoteFile>
  /** @throws RemoteFileError, also while the bytes arrive */
  download(url: string, signal: AbortSignal): Promise<RemoteFile & { readonly bytes: AsyncIterable<Uint8Array> }>
}

/** Why a file cannot be fetched. The message completes "The address …". */
export interface RemoteFileError extends Error {
  readonly name: 'RemoteError'
  readonly statusCode: number | null
}

/** Recognizes the error by its name, because its class belongs to the code that makes the requests. */
export function isRemoteFileError(error: unknown): error is RemoteFileError {
  return error instanceof Error && error.name === 'RemoteError'
}

/** The configuration of imports. */
export interface ImportTerms {
  readonly remote: RemoteFiles
  /** The maximum size of a file, in bytes. */
  readonly bytesMax: number
}
