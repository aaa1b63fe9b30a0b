import type { TestResponse } from '../../harness/responses.ts'

const HEADERS_OF_THE_MOMENT: ReadonlySet<string> = new Set(['date', 'x-service-request-id', 'service-request-id', 'x-request-id'])

/** A response without the texts of the test and the ids of its objects: equal ones reveal nothing to the caller. */
export function disclosed({ status, headers, text, body }: TestResponse, named: string): string {
  const plain = named.replaceAll('-', '')
  const known = Object.entries(headers).filter(([name]) => !HEADERS_OF_THE_MOMENT.has(name))
  const words = `${status} ${JSON.stringify(known)} ${text.replaceAll(String(body['request_id']), '<request>')}`
  const normalized = words.replaceAll(named, '<it>').replaceAll(plain, '<it>')
  if (status >= 400) return normalized
  const made = new Map<string, string>()
  return normalized.replace(/[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/g, (id) => {
    if (!made.has(id)) made.set(id, `<${made.size}>`)
    return made.get(id) ?? id
  })
}
