import type { Answer } from '../../harness/answers.ts'

const HEADERS_OF_THE_MOMENT: ReadonlySet<string> = new Set(['date', 'x-service-request-id', 'service-request-id', 'x-request-id'])

/** An answer without what the test put in, and the ids of what it made: two that are equal tell the caller the same. */
export function told({ status, headers, text, body }: Answer, named: string): string {
  const plain = named.replaceAll('-', '')
  const known = Object.entries(headers).filter(([name]) => !HEADERS_OF_THE_MOMENT.has(name))
  const words = `${status} ${JSON.stringify(known)} ${text.replaceAll(String(body['request_id']), '<request>')}`
  const asked = words.replaceAll(named, '<it>').replaceAll(plain, '<it>')
  if (status >= 400) return asked
  const made = new Map<string, string>()
  return asked.replace(/[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/g, (id) => {
    if (!made.has(id)) made.set(id, `<${made.size}>`)
    return made.get(id) ?? id
  })
}
