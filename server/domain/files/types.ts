/** Supported extensions with their MIME types. The first type is the default. */
export const supportedTypes: Readonly<Record<string, readonly string[]>> = {
  ...same('audio/aac', 'aac', 'adts'),
  ...same('audio/midi', 'mid', 'midi'),
  ...same('audio/x-ms-wma', 'wma'),
  ...same('audio/mpeg', 'mp3', 'mpga'),
  ...same('audio/mp4', 'm4a', 'm4b'),
  ...same('audio/ogg', 'oga', 'ogg', 'opus'),
  ...same('audio/wav', 'wav'),
  ...same('audio/webm', 'weba'),
  ...same('audio/x-flac', 'flac'),
  ...same('application/pdf', 'pdf'),
  ...same('text/plain', 'txt'),
  ...same('text/vtt', 'vtt'),
  ...same('application/rtf', 'rtf'),
  ...same('application/epub+zip', 'epub'),
  ...same('text/markdown', 'md', 'markdown'),
  ...same('text/html', 'html', 'htm'),
  ...same('text/calendar', 'ics'),
  ...same('application/json', 'json'),
  ...same('text/csv', 'csv'),
  ...same('text/tab-separated-values', 'tsv'),
  ...same('text/xml', 'xml'),
  ...same('text/yaml', 'yaml', 'yml'),
  ...same('text/css', 'css'),
  ...same('application/javascript', 'js'),
  ...same('application/typescript', 'ts'),
  ...same('text/x-python', 'py'),
  ...same('application/msword', 'doc', 'dot'),
  ...same('application/vnd.ms-excel', 'xls', 'xlt', 'xla'),
  ...same('application/vnd.ms-powerpoint', 'ppt', 'pot', 'pps', 'ppa'),
  ...same('application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'),
  ...same('application/vnd.openxmlformats-officedocument.wordprocessingml.template', 'dotx'),
  ...same('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'),
  ...same('application/vnd.openxmlformats-officedocument.spreadsheetml.template', 'xltx'),
  ...same('application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'),
  ...same('application/vnd.openxmlformats-officedocument.presentationml.template', 'potx'),
  ...same('application/vnd.oasis.opendocument.text', 'odt'),
  ...same('application/vnd.oasis.opendocument.spreadsheet', 'ods'),
  ...same('application/vnd.oasis.opendocument.presentation', 'odp'),
  ...same('image/gif', 'gif'),
  ...same('image/heic', 'heic'),
  ...same('image/jpeg', 'jpeg', 'jpg'),
  ...same('image/png', 'png'),
  ...same('image/apng', 'apng'),
  ...same('image/avif', 'avif'),
  ...same('image/bmp', 'bmp'),
  ...same('image/svg+xml', 'svg'),
  ...same('image/tiff', 'tif', 'tiff'),
  ...same('image/webp', 'webp'),
  ...same('image/vnd.microsoft.icon', 'ico'),
  mp4: ['application/mp4', 'video/mp4', 'audio/mp4'],
  m4v: ['video/mp4', 'application/mp4'],
  gifv: ['video/mp4', 'application/mp4'],
  ...same('video/quicktime', 'mov', 'qt'),
  ...same('video/mpeg', 'mpeg'),
  ...same('video/webm', 'webm'),
  mkv: ['video/x-matroska', 'video/webm'],
  ...same('video/ogg', 'ogv'),
  ...same('video/x-msvideo', 'avi'),
  ...same('video/x-amv', 'amv'),
  ...same('video/x-ms-asf', 'asf', 'wmv'),
  ...same('video/x-f4v', 'f4v'),
  ...same('video/x-flv', 'flv'),
  ...same('video/3gpp', '3gp'),
  ...same('video/3gpp2', '3g2'),
  ...same('application/zip', 'zip'),
  ...same('application/gzip', 'gz', 'gzip'),
  ...same('application/x-tar', 'tar'),
  ...same('application/x-7z-compressed', '7z'),
  ...same('application/x-bzip2', 'bz2'),
  ...same('application/vnd.rar', 'rar'),
}

function same(type: string, ...extensions: string[]): Record<string, readonly string[]> {
  return Object.fromEntries(extensions.map((extension) => [extension, [type]]))
}

const types: ReadonlySet<string> = new Set(Object.values(supportedTypes).flat())

/** The types of an extension; undefined if it is not supported. */
export function typesOf(extension: string): readonly string[] | undefined {
  return Object.hasOwn(supportedTypes, extension) ? supportedTypes[extension] : undefined
}

/** The extension added to the name of a file of this type; undefined if the type is not supported. */
export function extensionFor(type: string): string | undefined {
  const all = Object.entries(supportedTypes)
  return (all.find(([, fitting]) => fitting[0] === type) ?? all.find(([, fitting]) => fitting.includes(type)))?.[0]
}

export function isSupportedType(type: string): boolean {
  return types.has(type)
}

/** A MIME type in lower case, without parameters. */
export function essenceOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** The part of a name after the last dot, in lower case. */
export function extensionOf(filename: string): string | undefined {
  return /\.([A-Za-z0-9]{1,10})$/.exec(filename)?.[1]?.toLowerCase()
}

/** The kinds of blocks that show a file. */
type MediaKind = 'image' | 'video' | 'audio' | 'pdf' | 'other'

export function mediaKindOf(contentType: string): MediaKind {
  const type = essenceOf(contentType)
  if (type === 'application/pdf') return 'pdf'
  if (type === 'application/mp4') return 'video'
  const [kind] = type.split('/', 1)
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'other'
}

/** The kinds of files that are accepted for a use. Recordings of meetings are audio, video or text. */
export type FileUse = Exclude<MediaKind, 'other'> | 'html' | 'recording' | 'any'

const TRANSCRIPT_TYPES = ['text/plain', 'text/vtt', 'application/json'] as const
export type TranscriptType = (typeof TRANSCRIPT_TYPES)[number]

/** The type of a transcript file; undefined for any other file. */
export function transcriptTypeOf(contentType: string): TranscriptType | undefined {
  return TRANSCRIPT_TYPES.find((type) => type === essenceOf(contentType))
}

export function fitsUse(contentType: string, use: FileUse): boolean {
  if (use === 'recording')
    return transcriptTypeOf(contentType) !== undefined || fitsUse(contentType, 'audio') || fitsUse(contentType, 'video')
  if (use === 'html') return essenceOf(contentType) === 'text/html'
  // Such a file may contain video, or only audio. Its type does not say which.
  if (use === 'audio' && essenceOf(contentType) === 'application/mp4') return true
  return use === 'any' || mediaKindOf(contentType) === use
}
