const PARAMETER = /;[ \t]*([^\s;="]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g

/** The charsets that a content type names, in lower case: none, one, or several that contradict each other. */
export function charsetsOf(contentType: string): string[] {
  if (!contentType.includes(';')) return []
  return [...contentType.matchAll(PARAMETER)]
    .filter(([, name = '']) => name.toLowerCase() === 'charset')
    .map(([, , quoted, bare = '']) => (quoted?.replace(/\\(.)/g, '$1') ?? bare.trim()).toLowerCase())
}

/** Whether a text is in UTF-8 as far as its content type tells. */
export function isUtf8(contentType: string): boolean {
  return charsetsOf(contentType).every((charset) => charset === 'utf-8' || charset === 'utf8')
}
