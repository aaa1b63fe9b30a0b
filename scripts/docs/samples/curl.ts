/** A call with curl, to be pasted after `$TOKEN` and `$BASE_URL` have been set. */

import { shownJson } from './json.ts'
import type { SampleBody, SampleCall } from './sample_call.ts'

export function curlSample({ method, address, credentials, version, body }: SampleCall): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE_URL${address}"`,
    ...(credentials === 'none'
      ? []
      : [credentials === 'client' ? '-u "$CLIENT_ID:$CLIENT_SECRET"' : '-H "Authorization: Bearer $TOKEN"']),
    ...(version === undefined ? [] : [`-H 'Service-Version: ${version}'`]),
    ...bodyLines(body),
  ].join(' \\\n  ')
}

function bodyLines(body: SampleBody): string[] {
  if (body.kind === 'json') return ["-H 'Content-Type: application/json'", `-d ${quoted(shownJson(body.value))}`]
  if (body.kind === 'urlencoded') return body.fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`)
  if (body.kind === 'form')
    return [
      ...(body.file === undefined ? [] : [`-F ${quoted(`file=@${body.file}`)}`]),
      ...body.fields.map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`),
    ]
  return []
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
