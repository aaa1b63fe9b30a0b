import { invalid } from '../shared/index.ts'
import { essenceOf, extensionFor, extensionOf, isSupportedType, typesOf } from './types.ts'

interface FileName {
  readonly filename: string
  readonly contentType: string
}

/** The name and type in a request, with their paths. Either may be missing. */
interface WrittenName {
  readonly filename: string | undefined
  readonly contentType: string | undefined
  readonly namePath: string
  readonly typePath: string
}

/** The maximum length of a name with its extension, in UTF-8. */
const NAME_BYTES_MAX = 900
const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+[\t ]*(?:;[\t\x20-\x7e]*)?$/
/** Control characters, and characters that change the direction of text or end a line, which could disguise a name. */
const CONTROL = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u
/** Matches names that are paths on some operating system. */
const PATH = /[\\/]|^[A-Za-z]:\S|^\.{1,2}$/

/**
 * Completes a name and a type; each can be derived from the other.
 * @throws ServiceError `validation_error` if they are unsupported, contradict each other, or are both missing
 */
export function completeName({ filename, contentType, namePath, typePath }: WrittenName): FileName {
  if (contentType !== undefined) requireType(contentType, typePath)
  if (filename === undefined || filename.trim() === '') throw invalid(namePath, 'should have a name')
  if (CONTROL.test(filename)) throw invalid(namePath, 'should have no control characters')
  if (PATH.test(filename)) throw invalid(namePath, 'should be a file name without folders or a drive')
  const extension = extensionOf(filename)
  if (extension === undefined) {
    if (contentType === undefined)
      throw invalid(namePath, 'should have a supported extension, such as `.pdf`, or come with a type')
    return { filename: fitting(`${filename}.${extensionFor(essenceOf(contentType)) ?? ''}`, namePath), contentType }
  }
  const [usual, ...others] = typesOf(extension) ?? []
  if (usual === undefined) throw invalid(namePath, `should have a supported extension; \`.${extension}\` is not supported`)
  if (contentType !== undefined && ![usual, ...others].includes(essenceOf(contentType)))
    throw invalid(typePath, `should fit the extension \`.${extension}\`: ${[usual, ...others].join(' or ')}`)
  return { filename: fitting(filename, namePath), contentType: contentType ?? usual }
}

/** @throws ServiceError `validation_error` for an invalid or unsupported MIME type */
export function requireType(contentType: string, path: string): void {
  if (!CONTENT_TYPE.test(contentType) || !isSupportedType(essenceOf(contentType)))
    throw invalid(path, 'should be a supported MIME type')
}

function fitting(filename: string, path: string): string {
  const bytes = Buffer.byteLength(filename)
  if (bytes > NAME_BYTES_MAX) throw invalid(path, `should be at most \`${NAME_BYTES_MAX}\` bytes long, instead was \`${bytes}\``)
  return filename
}
