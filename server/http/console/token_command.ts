import { operations } from '../../../generated/operations.ts'
import { curlCommand } from '../curl_command.ts'
import type { Dependencies } from '../dependencies.ts'

/** A command that tries a token. */
export function tokenCommand({ baseUrl, headers }: Dependencies, token: string): string {
  const { method, path } = operations.retrieveMe
  return curlCommand({ method, url: `${baseUrl()}${path}`, versionHeader: headers.nameOf('Version'), token })
}
