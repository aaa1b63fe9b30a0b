import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

export interface TlsFiles {
  readonly certFile: string
  readonly keyFile: string
}

export interface TlsPair {
  readonly cert: Buffer
  readonly key: Buffer
}

/**
 * Reads a certificate (with its chain) and its key, both PEM.
 * @throws Error that names the invalid setting and the reason, but never the contents of a file
 */
export function loadTlsPair({ certFile, keyFile }: TlsFiles): TlsPair {
  const pair = { cert: readPemFile('TLS_CERT', certFile), key: readPemFile('TLS_KEY', keyFile) }
  try {
    createSecureContext(pair)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`TLS_CERT (${certFile}) and TLS_KEY (${keyFile}) cannot be used together: ${reason}.`)
  }
  return pair
}

function readPemFile(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new Error(`${name} is "${path}", which cannot be read (${code}).`)
  }
}
