const PARAMETER = /;[ \t]*([^\s;="]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g

/** The values of all `charset` parameters of a content type, in lower case: there may be several, which may differ. */
export function charsetsOf(contentType: string): string[] {
  if (!contentType.includes(';')) return []
  return [...contentType.matchAll(PARAMETER)]
    .filter(([, name = '']) => name.toLowerCase() === 'charset')
    .map(([, , quoted, bare = '']) => (quoted?.replace(/\\(.)/g, '$1') ?? bare.trim()).toLowerCase())
}

/** Whether a content type names no charset other than UTF-8. */
export function isUtf8(contentType: string): boolean {
  return charsetsOf(contentType).every((charset) => charset === 'utf-8' || charset === 'utf8')
}
