const TAGS_MAX = 5
const DEFAULT = 'en'

/** The first language of an `Accept-Language` header in which dates and numbers can be written. */
export function localeOf(header: string | undefined): string {
  const tags = (header ?? '').slice(0, 200).split(',', TAGS_MAX)
  for (const tag of tags) {
    const [name = ''] = tag.trim().split(';', 1)
    if (isSupported(name)) return name
  }
  return DEFAULT
}

function isSupported(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}
