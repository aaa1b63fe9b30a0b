import { STATUS_CODES } from 'node:http'
import type { JournalEntry } from './journal_entry.ts'

/** The parts of an HTTP archive that are written here. */
export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly Readonly<Record<string, unknown>>[]
  }
}

/** @param url of the server, without a trailing slash */
export function harOf(url: string, entries: readonly JournalEntry[]): Har {
  const creator = { name: 'workspace-service/testing', version: '1' }
  return { log: { version: '1.2', creator, entries: entries.map((entry) => harEntry(url, entry)) } }
}

const UNKNOWN_BYTES = -1

function harEntry(url: string, entry: JournalEntry): Readonly<Record<string, unknown>> {
  const { method, path, query, headers, body, bodyBytes, response, startedTime, milliseconds } = entry
  const search = new URLSearchParams(query).toString()
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: UNKNOWN_BYTES }
  const type = headers['content-type'] ?? 'application/octet-stream'
  return {
    startedDateTime: startedTime.toISOString(),
    time: milliseconds,
    request: {
      ...common,
      method,
      url: `${url}${path}${search === '' ? '' : `?${search}`}`,
      headers: pairs(headers),
      queryString: pairs(query),
      bodySize: bodyBytes,
      ...(bodyBytes > 0 && { postData: { mimeType: type, params: [], text: textOf(body) } }),
    },
    response: {
      ...common,
      status: response.status ?? 0,
      statusText: STATUS_CODES[response.status ?? 0] ?? '',
      headers: pairs(response.headers),
      content: { size: response.bodyBytes, mimeType: response.headers['content-type'] ?? '', text: textOf(response.body) },
      redirectURL: response.headers['location'] ?? '',
      bodySize: response.bodyBytes,
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    comment: entry.operation,
  }
}

function pairs(values: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}

function textOf(body: unknown): string {
  if (body === undefined) return ''
  return typeof body === 'string' ? body : JSON.stringify(body)
}
