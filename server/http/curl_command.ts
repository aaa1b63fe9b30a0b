import { newestRelease } from '../../generated/operations.ts'

interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly versionHeader: string
  /** `$TOKEN` unless given. */
  readonly token?: string
  /** JSON; undefined for none. */
  readonly body?: unknown
}

/** A command for a POSIX shell that sends a request of the API. */
export function curlCommand({ method, url, versionHeader, token, body }: CurlRequest): string {
  const verb = method.toUpperCase()
  const lines = [
    `curl ${verb === 'GET' ? '' : `-X ${verb} `}${quoted(url)}`,
    token === undefined ? `-H "Authorization: Bearer $TOKEN"` : `-H ${quoted(`Authorization: Bearer ${token}`)}`,
    `-H ${quoted(`${versionHeader}: ${newestRelease}`)}`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ]
  return lines.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
