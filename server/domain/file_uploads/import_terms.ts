/** What another host says about a file. */
export interface RemoteFile {
  readonly contentType: string | undefined
  /** Bytes; undefined when it does not say. */
  readonly contentLength: number | undefined
}

/** Files on other hosts, of which only public ones can be reached. */
export interface RemoteFiles {
  /** Asks for a file without its bytes. @throws RemoteError */
  inspect(url: string): Promise<RemoteFile>
  /** @throws RemoteError, also while the bytes come */
  download(url: string, signal: AbortSignal): Promise<RemoteFile & { readonly bytes: AsyncIterable<Uint8Array> }>
}

/** Another host cannot be used: its message ends the sentence "The address …". */
export interface RemoteError extends Error {
  readonly name: 'RemoteError'
  readonly statusCode: number | null
}

export function isRemoteError(error: unknown): error is RemoteError {
  return error instanceof Error && error.name === 'RemoteError'
}

/** What an import may fetch, and how. */
export interface ImportTerms {
  readonly remote: RemoteFiles
  /** Bytes that one file may have. */
  readonly bytesMax: number
}
