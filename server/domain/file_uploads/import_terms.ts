/** What another host says about a file. */
export interface RemoteFile {
  readonly contentType: string | undefined
  /** Bytes; undefined when it does not say. */
  readonly contentLength: number | undefined
}

/** Files on other hosts, of which only public ones can be reached. */
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

/** Recognises the error by its name, because its class belongs to the code that makes the requests. */
export function isRemoteFileError(error: unknown): error is RemoteFileError {
  return error instanceof Error && error.name === 'RemoteError'
}

/** What an import may fetch, and how. */
export interface ImportTerms {
  readonly remote: RemoteFiles
  /** Bytes that one file may have. */
  readonly bytesMax: number
}
